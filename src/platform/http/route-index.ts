import type { NextFunction, Request, Response } from 'express';

/** A layer of Express's router: a route, or what is called for every path. */
export interface RouterLayer {
  route?: { path: unknown; methods: Record<string, boolean> };
  /** @throws URIError for a path that cannot be decoded */
  match(path: string): { params: Request['params'] } | false;
  handleRequest(request: Request, response: Response, next: NextFunction): void;
}

/**
 * Finds the route of a request by its method, the number of its segments and the last of them.
 * Express asks one route after the other, and still does if none is found here (decision 149).
 */
export class RouteIndex {
  /** In the order in which Express would ask them. */
  private readonly routes = new Map<string, RouterLayer[]>();

  constructor(layers: readonly RouterLayer[]) {
    const shapes = layers.flatMap((layer) => shapesOf(layer).map((shape) => ({ layer, shape })));
    for (const { shape } of shapes) {
      // A path whose last segment is a word may also be one of a route that ends with a parameter.
      const fitting = shapes.filter((other) => mayFit(other.shape, shape));
      this.routes.set(
        keyOf(shape),
        fitting.map(({ layer }) => layer),
      );
    }
  }

  /** For `app.use`, before all routes. */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    const found = this.find(request.method, request.path);
    if (!found) return next();
    request.route = found.layer.route;
    request.params = found.params;
    // It was the only route: none of those that Express would ask next is another one.
    found.layer.handleRequest(request, response, (error?: unknown) => next(error ?? 'router'));
  };

  find(method: string, path: string) {
    const comparable = withoutEnd(path);
    const [segments, last] = endOf(comparable);
    const shape = { method: method === 'HEAD' ? 'get' : method.toLowerCase(), segments };
    const layers =
      this.routes.get(keyOf({ ...shape, last })) ??
      this.routes.get(keyOf({ ...shape, last: null }));
    for (const layer of layers ?? []) {
      const match = matchOf(layer, path);
      if (match) return { layer, params: match.params };
    }
    return undefined;
  }
}

interface Shape {
  method: string;
  segments: number;
  /** The last segment; null if it is a parameter. */
  last: string | null;
}

function keyOf({ method, segments, last }: Shape): string {
  return `${method} ${segments} ${last ?? ':'}`;
}

function mayFit(route: Shape, asked: Shape): boolean {
  const { method, segments, last } = route;
  const isLast = last === null || last === asked.last;
  return method === asked.method && segments === asked.segments && isLast;
}

/** Of a route of plain words and parameters, one for each method; others are left to Express. */
function shapesOf({ route }: RouterLayer): Shape[] {
  if (typeof route?.path !== 'string' || /[^\w/:.-]/.test(route.path)) return [];
  const [segments, last] = endOf(withoutEnd(route.path));
  return Object.keys(route.methods).map((method) => ({
    method,
    segments,
    last: last.includes(':') ? null : last,
  }));
}

function endOf(path: string): [segments: number, last: string] {
  return [path.split('/').length, path.slice(path.lastIndexOf('/') + 1)];
}

/** A slash at the end makes no difference. */
function withoutEnd(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function matchOf(layer: RouterLayer, path: string): ReturnType<RouterLayer['match']> {
  try {
    return layer.match(path);
  } catch {
    // Express refuses it.
    return false;
  }
}
