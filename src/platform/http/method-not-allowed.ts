import type { Request } from 'express';
import { HttpProblem } from './problem.js';

interface RouterLayer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/**
 * Express answers 404 to a known path with another method; RFC 9110 wants 405 and `Allow`.
 * Undefined when no route knows the path.
 */
export function methodNotAllowed(request: Request): HttpProblem | undefined {
  const { router } = request.app as unknown as { router: { stack: RouterLayer[] } };
  const methods = new Set<string>();
  for (const layer of router.stack) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  // A handler that answers 404 by itself took the method.
  if (methods.size === 0 || methods.has(request.method)) return undefined;
  const allow = [...methods].sort().join(', ');
  return new HttpProblem(
    405,
    'method_not_allowed',
    `${request.method} is not possible here; this path takes ${allow}.`,
    { Allow: allow },
  );
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
