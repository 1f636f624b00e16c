/** How tests read our TypeScript, in the runner and in the processes that they start. */
const OPTIONS = {
  module: { type: 'nodenext' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      react: { runtime: 'automatic', importSource: 'preact' },
    },
    experimental: { keepImportAttributes: true },
  },
};

/** `<Type>(` begins a function in one language and an element in the other. */
export function optionsFor(file) {
  const { jsc, ...options } = OPTIONS;
  return { ...options, jsc: { ...jsc, parser: { ...jsc.parser, tsx: file.endsWith('x') } } };
}
