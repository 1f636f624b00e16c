import type { Request } from 'express';
import { HttpProblem } from './problem.js';
import type { RouterLayer } from './route-index.js';
import { RequestRefusal } from './request-refusals.js';

/**
 * The 405 with `Allow` that RFC 9110 wants for a known path with another method; Express says 404.
 * Undefined if no route knows the path.
 */
export function methodNotAllowed(request: Request): HttpProblem | undefined {
  const { router } = request.app as unknown as { router: { stack: RouterLayer[] } };
  const methods = new Set<string>();
  for (const layer of router.stack) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  // The handler itself answered 404, so the method is possible.
  if (methods.size === 0 || methods.has(request.method)) return undefined;
  const allow = [...methods].sort().join(', ');
  return RequestRefusal.method_not_allowed.of(
    `${request.method} is not possible here; this path takes ${allow}.`,
    { Allow: allow },
  );
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path) !== false;
  } catch {
    return false;
  }
}
