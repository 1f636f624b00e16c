import type { PageProps } from './portal-props.js';

/** Files to save, and links, of which a reader sees where they lead. */
export function AttachmentLinks({ view, token, paper: { texts } }: PageProps) {
  const { attachments = [] } = view.details;
  if (attachments.length === 0) return null;
  return (
    <section class="sheet">
      <h2>{texts.attachments}</h2>
      <ul>
        {attachments.map((one) => (
          <li key={one.id}>
            {'url' in one ? (
              <a href={one.url} rel="noopener noreferrer">
                <bdi>{one.name}</bdi>
              </a>
            ) : (
              <a href={`/v1/portal/documents/${token}/attachments/${one.id}`}>
                <bdi>{one.name}</bdi>
              </a>
            )}
            {'url' in one && <span class="soft"> {new URL(one.url).hostname}</span>}
            {one.description && (
              <p class="soft" dir="auto">
                {one.description}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
