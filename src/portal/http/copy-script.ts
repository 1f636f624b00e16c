import { createHash } from 'node:crypto';

/**
 * Gives each bank detail a button that copies it, IBAN and reference without their spaces. Without
 * script, or away from HTTPS, there are no buttons, and a tap selects the whole value.
 */
export const COPY_SCRIPT = `(() => {
  const section = document.querySelector('.payment[data-copy]');
  if (!section || !navigator.clipboard) return;
  const { copy, copied } = section.dataset;
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  status.className = 'said';
  section.append(status);
  for (const row of section.querySelectorAll('dl > div')) {
    const [name, cell] = row.children;
    const value = cell.textContent.trim();
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = copy;
    button.setAttribute('aria-label', copy + ': ' + name.textContent);
    button.addEventListener('click', async () => {
      const grouped = /^[A-Z]{2}\\d\\d( \\w{1,4})+$/.test(value);
      await navigator.clipboard.writeText(grouped ? value.replaceAll(' ', '') : value);
      status.textContent = copied + ': ' + name.textContent;
    });
    cell.append(button);
  }
})();`;

/** The one script that the page's policy lets run. */
export const COPY_SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(COPY_SCRIPT).digest('base64')}'`;
