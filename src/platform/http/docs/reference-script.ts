/** Runs in the browser. `DEMO` is there in a demo on its own machine only. */
export const REFERENCE_SCRIPT = `
// Our policy refuses styles without the nonce of the page, and styles in HTML. The renderer makes
// both: they are given the nonce, and set one by one.
const { nonce } = document.querySelector('style');
const { createElement } = Document.prototype;
Document.prototype.createElement = function (name, ...options) {
  const made = createElement.call(this, name, ...options);
  if (String(name).toLowerCase() === 'style') made.nonce = nonce;
  return made;
};
const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function (name, value) {
  if (String(name).toLowerCase() === 'style') this.style.cssText = value;
  else setAttribute.call(this, name, value);
};
const { get, set } = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
Object.defineProperty(Element.prototype, 'innerHTML', {
  get,
  set(html) {
    set.call(this, String(html).replaceAll(' style="', ' data-style="'));
    for (const styled of (this.content ?? this).querySelectorAll('[data-style]')) {
      styled.style.cssText = styled.dataset.style;
      styled.removeAttribute('data-style');
    }
  },
});

const settings = {
  url: '/docs/reference.json',
  // The address of the page, also where the service is behind a proxy: no other is allowed.
  servers: [{ url: location.origin }],
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: [
    'c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'js', 'julia', 'kotlin', 'node', 'objc', 'ocaml',
    'php', 'powershell', 'python', 'r', 'ruby', 'rust', 'swift',
  ].reduce((hidden, target) => ({ ...hidden, [target]: true }), { shell: ['httpie', 'wget'] }),
  authentication: { preferredSecurityScheme: 'oauth2' },
};
addEventListener('DOMContentLoaded', () => {
  const reference = Scalar.createApiReference('#reference', settings);
  const button = document.querySelector('#demo-token');
  button?.addEventListener('click', async () => {
    button.disabled = true;
    const answer = await fetch('/docs/demo-token', { method: 'POST' });
    button.disabled = false;
    if (!answer.ok) {
      button.textContent = 'No token: see the console of the service';
      return;
    }
    const { access_token: token } = await answer.json();
    reference.updateConfiguration({
      ...settings,
      authentication: {
        preferredSecurityScheme: 'oauth2',
        securitySchemes: { oauth2: { flows: { clientCredentials: { token } } } },
      },
    });
    button.remove();
  });
});
`;
