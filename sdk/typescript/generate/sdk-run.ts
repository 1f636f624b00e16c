import { fileURLToPath } from 'node:url';
import { packSdk } from './package.js';

// npm run sdk: the package of the SDK for TypeScript, in sdk/typescript/dist.

const folder = fileURLToPath(new URL('../dist', import.meta.url));
const { file, sizeBytes, paths } = await packSdk(folder);
console.log(`${file}: ${paths.length} files, ${Math.round(sizeBytes / 1024)} KB`);
