"""README.md and docs/tour.md by the Python client. It is checked by `mypy --strict`."""
import json
import sys
from typing import Dict, List, TypedDict

from quittance_client import (
    AdjustmentRequest,
    ApiClient,
    ApiException,
    AuthApi,
    BooksApi,
    Configuration,
    CreateCustomerRequest,
    CreateDocumentRequest,
    CustomersApi,
    Document,
    DocumentsApi,
    LineRequest,
    PaymentsApi,
    PortalApi,
    RecordPaymentRequest,
    RejectRequest,
    ReportsApi,
    StartIntegrityRunRequest,
    TokenRequest,
)
from quittance_client.words import DocumentKind, DocumentStatus


class Demo(TypedDict):
    base_url: str
    client_id: str
    client_secret: str
    invoice_id: str
    quote_portal_token: str
    invoice_portal_token: str


def code_of(error: ApiException) -> str:
    problem: Dict[str, object] = json.loads(error.body or "{}")
    return str(problem.get("code"))


def beginning_of(path: str) -> str:
    with open(path, "rb") as file:
        return file.read(5).decode("ascii")


def six_calls(client: ApiClient, demo: Demo) -> Dict[str, object]:
    payments, portal = PaymentsApi(client), PortalApi(client)
    transfer = RecordPaymentRequest(
        amount=25000, method="bank_transfer", reference="RF18 5390 0754 7034"
    )
    paid = payments.record_payment(demo["invoice_id"], transfer, idempotency_key="transfer-4711")
    again = payments.record_payment(demo["invoice_id"], transfer, idempotency_key="transfer-4711")
    refused = "nothing"
    too_much = RecordPaymentRequest(amount=paid.amount_due + 1, method="bank_transfer")
    try:
        payments.record_payment(demo["invoice_id"], too_much)
    except ApiException as error:
        refused = f"{error.status} {code_of(error)}"
    reason = RejectRequest(reason="Too expensive for this year.")
    rejected = portal.reject_document(demo["quote_portal_token"], reason)
    return {
        "paid": paid.amount_paid,
        "due": paid.amount_due,
        "status": paid.status,
        "once": paid.payment.id == again.payment.id,
        "refused": refused,
        "rejected": rejected.success,
        "pdf": beginning_of(portal.get_portal_pdf(demo["invoice_portal_token"])),
    }


def lines() -> List[LineRequest]:
    return [
        LineRequest(
            description="Consulting",
            quantity="2.5",
            unit="HUR",
            unit_amount=9500,
            tax_rate="19",
            discount=AdjustmentRequest(percent="10", reason="Opening offer"),
        )
    ]


def own_documents(client: ApiClient) -> Dict[str, object]:
    documents, payments, portal = DocumentsApi(client), PaymentsApi(client), PortalApi(client)
    customer = CustomersApi(client).create_customer(
        CreateCustomerRequest(name="Initech Ltd", country="DE", payment_terms_days=14)
    )

    def created(kind: DocumentKind) -> Document:
        return documents.create_document(
            CreateDocumentRequest(kind=kind, customer_id=customer.id, lines=lines(), issue=True)
        )

    quote, invoice = created("quote"), created("invoice")
    token = documents.create_portal_token(quote.id).token
    accepted = portal.accept_document(token, accept_request={"name": "Ada Lovelace"})
    converted = documents.convert_document(quote.id)
    settled = payments.record_payment(
        invoice.id, RecordPaymentRequest(amount=invoice.amount_due, method="bank_transfer")
    )
    now = documents.get_document(invoice.id)
    status: DocumentStatus = now.status
    return {
        "customer": invoice.customer_id == customer.id,
        "accepted": accepted.success,
        "quote": documents.get_document(quote.id).status,
        "converted": converted.kind,
        "total": invoice.total,
        "amount_due": settled.amount_due,
        "invoice": status,
        "pdf": beginning_of(documents.get_document_pdf(invoice.id)),
    }


def tour(demo: Demo) -> Dict[str, object]:
    configuration = Configuration(host=demo["base_url"])
    with ApiClient(configuration) as client:
        credentials = TokenRequest(
            client_id=demo["client_id"], client_secret=demo["client_secret"]
        )
        token = AuthApi(client).get_token(token_request=credentials)
        configuration.access_token = token.access_token
        own = own_documents(client)
        balances = ReportsApi(client).get_ledger_balances()
        books = BooksApi(client)
        check = books.start_integrity_run(
            start_integrity_run_request=StartIntegrityRunRequest(full=True)
        )
        while check.status in ("waiting", "running"):
            check = books.get_integrity_run(check.id)
        return {
            **six_calls(client, demo),
            "own": own,
            "balances": sum(account.balance for account in balances.data),
            "differences": len(check.differences),
        }


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as demo_file:
        print(json.dumps(tour(json.load(demo_file)), indent=2))
