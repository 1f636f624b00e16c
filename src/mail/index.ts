export { examineMail } from './infrastructure/mail-examination.js';
export { MailSender } from './domain/mail-sender.js';
export { MailModule } from './mail.module.js';
export { MailRefusal } from './domain/refusals.js';
