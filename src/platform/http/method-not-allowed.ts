import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { HttpProblem } from './problem.js';

interface RouterLayer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** Express answers 404 to a known path with another method; RFC 9110 wants 405 and `Allow`. */
export function useMethodNotAllowed(app: NestExpressApplication): void {
  const { router } = app.getHttpAdapter().getInstance() as unknown as { router: { stack: RouterLayer[] } };
  app.use((request: Request, _response: Response, next: NextFunction) => {
    const methods = new Set<string>();
    for (const layer of router.stack) {
      if (!layer.route || !matches(layer, request.path)) continue;
      for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
    }
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size === 0 || methods.has(request.method)) return next();
    const allow = [...methods].sort().join(', ');
    if (request.method === 'OPTIONS') return _response.status(204).set('Allow', allow).end();
    return next(
      new HttpProblem(
        405,
        'method_not_allowed',
        `${request.method} is not possible here; this path takes ${allow}.`,
        { Allow: allow },
      ),
    );
  });
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
