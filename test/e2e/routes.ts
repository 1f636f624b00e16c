import type { NestExpressApplication } from '@nestjs/platform-express';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** Nobody may wait for the end of its answer. */
export const STREAM = '/v1/events/stream';

/** Every method and path that Express answers, in its order; HEAD is not told apart from GET. */
export function routesOf(app: NestExpressApplication): { method: string; path: string }[] {
  const express = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return express.router.stack.flatMap(({ route }) =>
    Object.keys(route?.methods ?? {}).map((method) => ({
      method: method.toUpperCase(),
      path: route?.path ?? '',
    })),
  );
}
