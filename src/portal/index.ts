export { PortalDocuments } from './application/portal-documents.js';
export { pageLanguage } from './http/portal-language.js';
export { Success } from './wire/portal.js';
export { receiptHtml } from './http/receipt.js';
export { sendSmallPage } from './http/small-page.js';
export { PortalModule } from './portal.module.js';
