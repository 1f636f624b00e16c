from types import TracebackType
from typing import Any, Dict, Optional, Type

from quittance_client.configuration import Configuration

class ApiClient:
    configuration: Configuration
    default_headers: Dict[str, str]
    client_side_validation: bool
    user_agent: str
    def __init__(
        self,
        configuration: Optional[Configuration] = ...,
        header_name: Optional[str] = ...,
        header_value: Optional[str] = ...,
        cookie: Optional[str] = ...,
        pool_threads: int = ...,
    ) -> None: ...
    def __enter__(self) -> ApiClient: ...
    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None: ...
    def close(self) -> None: ...
    def set_default_header(self, header_name: str, header_value: str) -> None: ...
    def sanitize_for_serialization(self, obj: object) -> Any: ...
