import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStore } from '../../../src/platform/config/file-store-config.js';
import type { S3Config } from '../../../src/platform/config/s3-config.js';
import { S3Bucket } from '../../../src/platform/s3/s3-bucket.js';
import { type S3Proxy, startS3Proxy } from '../../support/s3-proxy.js';
import { type S3Server, startS3Server } from '../../support/s3-server.js';

const BUCKET = 'files-elsewhere';
const PREFIX = 'acme';

/** A store for the bytes of files, behind a proxy that can make it look otherwise. */
export class StoreOfTests {
  private constructor(
    private readonly folder: string,
    private readonly server: S3Server,
    readonly proxy: S3Proxy,
  ) {}

  static async start(): Promise<StoreOfTests> {
    const folder = await mkdtemp(join(tmpdir(), 'quittance-files-'));
    const server = await startS3Server(folder, BUCKET);
    return new StoreOfTests(folder, server, await startS3Proxy(server.endpoint));
  }

  get env() {
    return {
      QUITTANCE_FILES_TO: `s3://${BUCKET}/${PREFIX}`,
      QUITTANCE_FILES_S3_ENDPOINT: this.proxy.endpoint,
      QUITTANCE_FILES_S3_REGION: 'us-east-1',
      QUITTANCE_FILES_S3_KEY_ID: 'S3RVER',
      QUITTANCE_FILES_S3_SECRET: 'S3RVER',
    };
  }

  get config(): S3Config {
    return fileStore(this.env)!;
  }

  /** `<account>/<digest>` of all that is there. */
  async names(): Promise<string[]> {
    const files = await this.pathsOf();
    return files
      .map((file) => /files\/([0-9a-f-]{36}\/[0-9a-f]{64})/.exec(file)?.[1] ?? file)
      .toSorted();
  }

  /** Past the S3 API, as a disk would change it. */
  async change(sha256: string, content: Buffer): Promise<void> {
    for (const file of await this.pathsOf(sha256)) await writeFile(file, content);
  }

  async lose(sha256: string): Promise<void> {
    const files = await readdir(this.folder, { recursive: true });
    for (const file of files.filter((one) => one.includes(sha256)))
      await rm(join(this.folder, file), { force: true });
  }

  /** Past the service. @param name `<account>/<digest>` */
  async put(name: string, content: Buffer): Promise<void> {
    const bucket = await S3Bucket.open(this.config);
    await bucket.putWhole(`${PREFIX}/files/${name}`, content);
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
    await this.server.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Files of an object, by a part of its name; of all, if none is said. */
  async pathsOf(sha256 = ''): Promise<string[]> {
    const files = await readdir(this.folder, { recursive: true });
    return files
      .filter((one) => one.includes(`files/`) && one.includes(sha256) && one.endsWith('_object'))
      .map((one) => join(this.folder, one));
  }
}
