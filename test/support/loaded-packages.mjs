import { registerHooks } from 'node:module';

// Before a program: tells of each package of OpenTelemetry that it loads, however it does.

const told = new Set();

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, name] = /node_modules\/@opentelemetry\/([^/]+)/.exec(resolved.url) ?? [];
    if (name !== undefined && !told.has(name)) {
      told.add(name);
      process.stderr.write(`loads @opentelemetry/${name}\n`);
    }
    return resolved;
  },
});
