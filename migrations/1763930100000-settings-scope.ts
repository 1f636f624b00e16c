import type { MigrationInterface, QueryRunner } from 'typeorm';

const EVERY = [
  'documents:read',
  'documents:write',
  'payments:read',
  'payments:write',
  'refunds:write',
  'events:read',
  'webhooks:manage',
  'reports:read',
];
const NEW = ['audit:read', 'settings:write'];

const list = (scopes: string[]) => `ARRAY['${scopes.join("', '")}']`;

/** Who could do everything still can. Who was limited does not get more: bank accounts least of all. */
export class SettingsScope1763930100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE api_clients SET scopes = scopes || ${list(NEW)}
      WHERE scopes @> ${list(EVERY)} AND NOT scopes && ${list(NEW)} AND revoked_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE api_clients
      SET scopes = ARRAY(SELECT scope FROM unnest(scopes) scope WHERE scope <> ALL (${list(NEW)}))
      WHERE scopes && ${list(NEW)}`);
  }
}
