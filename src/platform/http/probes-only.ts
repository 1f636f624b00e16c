import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { RequestRefusal } from './request-refusals.js';

const PROBES = new Set(['/livez', '/readyz']);

/** Of a process that does jobs and answers nobody: only whoever supervises it asks how it is. */
export function useProbesOnly(app: NestExpressApplication): void {
  app.use((request: Request, _: Response, next: NextFunction) => {
    if (PROBES.has(request.path)) return next();
    const detail = 'This process does jobs only (QUITTANCE_ROLES=worker); call one that answers.';
    return next(RequestRefusal.route_not_found.of(detail));
  });
}
