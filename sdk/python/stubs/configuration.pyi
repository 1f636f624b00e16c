from typing import Dict, Optional

class Configuration:
    host: str
    access_token: Optional[str]
    temp_folder_path: Optional[str]
    client_side_validation: bool
    debug: bool
    verify_ssl: bool
    ssl_ca_cert: Optional[str]
    cert_file: Optional[str]
    key_file: Optional[str]
    connection_pool_maxsize: int
    proxy: Optional[str]
    proxy_headers: Optional[Dict[str, str]]
    retries: Optional[int]
    def __init__(
        self,
        host: str = ...,
        api_key: Optional[Dict[str, str]] = ...,
        api_key_prefix: Optional[Dict[str, str]] = ...,
        username: Optional[str] = ...,
        password: Optional[str] = ...,
        discard_unknown_keys: bool = ...,
    ) -> None: ...
    @classmethod
    def set_default(cls, default: Configuration) -> None: ...
    @classmethod
    def get_default_copy(cls) -> Configuration: ...
