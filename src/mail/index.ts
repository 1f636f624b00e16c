export { MESSAGE_EVENTS } from './wire/message-events.js';
export { examineMailDomain } from './infrastructure/mail-domain.js';
export { examineMail } from './infrastructure/mail-examination.js';
export { EndpointNotices } from './application/endpoint-notices.js';
export { ExtensionLetters } from './application/extension-letters.service.js';
export {
  type LetterSource,
  LetterSources,
  type WantedLetter,
} from './application/letter-sources.js';
export type { SaidInLetter } from './application/letter-facts.js';
export { MailSettingsService } from './application/mail-settings.service.js';
export { ReaderErasing } from './application/reader-erasing.js';
export { WantedMessages } from './application/wanted-messages.js';
export { type Message, MESSAGE_STATUSES, type MessageOutcome } from './domain/message.js';
export { pdfFile } from './domain/letter.js';
export { HeldMail } from './application/held-mail.js';
export { LetterKinds } from './application/letter-kinds.js';
export type {
  ExtensionKind,
  LetterAccount,
  LetterWriter,
  WrittenLetter,
} from './domain/written-letter.js';
export { MailSender } from './domain/mail-sender.js';
export { MailModule } from './mail.module.js';
export { MailRefusal } from './domain/refusals.js';
