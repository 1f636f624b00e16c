/** A sheet with a tick: seen on light and dark. */
export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect x="5" y="2" width="22" height="28" rx="4" fill="#1b5fc1"/>' +
  '<path d="M10 10h12M10 15h7" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>' +
  '<path d="M11 22l4 4 8-8" stroke="#fff" stroke-width="3" fill="none" stroke-linecap="round" ' +
  'stroke-linejoin="round"/></svg>';

/** In the page itself, so that a page asks for nothing. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`;
