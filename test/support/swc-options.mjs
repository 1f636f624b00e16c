/** How tests read our TypeScript: in Jest, and in the processes that they start. */
export const SWC_OPTIONS = {
  module: { type: 'nodenext' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx: true, decorators: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      react: { runtime: 'automatic', importSource: 'preact' },
    },
    experimental: { keepImportAttributes: true },
  },
};
