import type { PrintedDocument } from '../../domain/printing/printed-document.js';

interface NamesProps {
  paper: PrintedDocument;
  class: string;
}

/** Paper cannot carry them: who reads it knows what to look for. */
export function AttachmentNames({ paper: { attachments, texts }, ...section }: NamesProps) {
  if (attachments.length === 0) return null;
  return (
    <section {...section}>
      <h2>{texts.attachments}</h2>
      <p>
        {attachments.map((name, index) => (
          <span key={name}>
            {index > 0 && ' · '}
            <bdi>{name}</bdi>
          </span>
        ))}
      </p>
    </section>
  );
}
