import type pg from 'pg';
import { failed, fine, type Finding, warned } from '../../platform/finding.js';
import {
  LOG_POSITION,
  type LogPosition,
  REPLICA_STATE,
  type ReplicaState,
} from '../../platform/database/servers/replica.js';
import { askServer, readOnce } from './server.js';

const FAR_BEHIND_BYTES = 64 * 1024 * 1024;
const FAR_BEHIND_SECONDS = 60;
const HELD_BACK_BYTES = 1024 * 1024 * 1024;
const SEE_STANDBY = 'see the log of the standby, and the network between them';

/** A server and its copies, in its own words. */
export interface ReplicationState {
  standby: boolean;
  synchronousNames: string;
  /** Nulls, but for the name: the role may not see more. */
  standbys: readonly {
    name: string;
    state: string | null;
    sync: string | null;
    behindBytes: number | null;
    behindSeconds: number | null;
  }[];
  slots: readonly {
    name: string;
    active: boolean;
    status: string | null;
    heldBytes: number | null;
  }[];
}

const STANDBYS = `SELECT coalesce(application_name, pid::text) AS name, state, sync_state AS sync,
    pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 AS "behindBytes",
    extract(epoch FROM replay_lag)::float8 AS "behindSeconds"
  FROM pg_stat_replication
  WHERE state IS DISTINCT FROM 'backup' AND application_name IS DISTINCT FROM 'pg_basebackup'
  ORDER BY 1`;

const SLOTS = `SELECT slot_name AS name, active, wal_status AS status,
    pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 AS "heldBytes"
  FROM pg_replication_slots WHERE NOT temporary ORDER BY 1`;

/** Of a standby that has all that it received, the last commit may be old. */
const FOLLOWER = `SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
    ELSE extract(epoch FROM now() - pg_last_xact_replay_timestamp()) END::float8 AS "behindSeconds",
  EXISTS (SELECT FROM pg_stat_wal_receiver) AS "isConnected"`;

interface Follower {
  /** Null: nothing came since it started. */
  behindSeconds: number | null;
  isConnected: boolean;
}

async function followerOf(client: pg.Client): Promise<Follower> {
  const { rows } = await client.query<Follower>(FOLLOWER);
  return rows[0] ?? { behindSeconds: null, isConnected: false };
}

/** Of a service that only reads. */
export function judgeFollower({ behindSeconds, isConnected }: Follower): Finding {
  const check = 'replication';
  const late = (behindSeconds ?? 0).toFixed(1);
  const detail = `the server is a standby, ${late} s behind, and this service only reads`;
  if (!isConnected) return warned(check, `${detail}; it is connected to no primary`, SEE_STANDBY);
  return (behindSeconds ?? 0) > FAR_BEHIND_SECONDS
    ? warned(check, detail, SEE_STANDBY)
    : fine(check, detail);
}

/** Whether the server is a copy, has copies, and waits for them. */
export async function examineReplication(url: string, readOnly = false): Promise<Finding[]> {
  return askServer(url, async (client) => {
    const { rows } = await client.query<Pick<ReplicationState, 'standby' | 'synchronousNames'>>(
      `SELECT pg_is_in_recovery() AS standby,
         current_setting('synchronous_standby_names') AS "synchronousNames"`,
    );
    const [state] = rows as [Pick<ReplicationState, 'standby' | 'synchronousNames'>];
    if (state.standby && readOnly) return [judgeFollower(await followerOf(client))];
    if (state.standby) return judgeReplication({ ...state, standbys: [], slots: [] });
    const { rows: standbys } = await client.query<ReplicationState['standbys'][number]>(STANDBYS);
    const { rows: slots } = await client.query<ReplicationState['slots'][number]>(SLOTS);
    return judgeReplication({ ...state, standbys, slots });
  });
}

/** Whether lists and reports can be read where `DATABASE_REPLICA_URL` says. */
export async function examineReplica(url: string, replica: string | null): Promise<Finding[]> {
  if (replica === null) return [];
  const [position] = await readOnce<LogPosition>(url, LOG_POSITION);
  const { lsn, timeline, system } = position!;
  const [state] = await readOnce<ReplicaState>(replica, REPLICA_STATE, [lsn, timeline, system]);
  return [judgeReplica(state!)];
}

export function judgeReplica({ follows, behindBytes }: ReplicaState): Finding {
  const check = 'replica';
  if (!follows || behindBytes === null) {
    const detail = 'the server of DATABASE_REPLICA_URL does not follow that of DATABASE_URL';
    const next = 'name a standby of it; after a failover wait for a checkpoint of the standby';
    return warned(check, `${detail}: lists are read from the primary`, next);
  }
  const detail = `lists are read from a standby, ${Math.max(0, behindBytes)} bytes behind`;
  return behindBytes > FAR_BEHIND_BYTES ? warned(check, detail, SEE_STANDBY) : fine(check, detail);
}

export function judgeReplication(state: ReplicationState): Finding[] {
  if (state.standby) {
    const detail = 'the server is a standby: it takes no payment';
    return [failed('replication', detail, 'name the primary in DATABASE_URL, or promote this one')];
  }
  return [judgeStandbys(state), ...state.slots.flatMap(judgeSlot)];
}

function judgeStandbys({ standbys, synchronousNames }: ReplicationState): Finding {
  const check = 'replication';
  const waited = synchronousNames.trim() !== '';
  if (standbys.length === 0) {
    return waited
      ? failed(
          check,
          `no standby is connected, and commits wait for ${synchronousNames}`,
          'start the standby; or empty synchronous_standby_names, and know what that risks',
        )
      : fine(check, 'no standby is connected: after a loss of this server there is the backup');
  }
  if (standbys.some(({ state }) => state === null)) {
    const names = standbys.map(({ name }) => name).join(', ');
    const detail = `standbys are connected (${names}), and this role may not see how far they are`;
    return warned(check, detail, 'GRANT pg_read_all_stats to the role of DATABASE_URL');
  }
  const told = standbys.map(
    ({ name, sync, behindBytes, behindSeconds }) =>
      `${name} (${sync}) is ${behindBytes ?? 0} bytes, ${(behindSeconds ?? 0).toFixed(1)} s behind`,
  );
  const detail = told.join('; ');
  const isLate = standbys.find(
    (one) =>
      one.state !== 'streaming' ||
      (one.behindBytes ?? 0) > FAR_BEHIND_BYTES ||
      (one.behindSeconds ?? 0) > FAR_BEHIND_SECONDS,
  );
  if (isLate) {
    return warned(check, `${detail}; ${isLate.name} is ${isLate.state}, far behind`, SEE_STANDBY);
  }
  if (standbys.some(({ sync }) => sync === 'sync' || sync === 'quorum')) return fine(check, detail);
  if (waited) {
    const names = `commits wait for ${synchronousNames}, and none of these is it`;
    return failed(check, `${detail}; ${names}`, 'give the standby that application_name');
  }
  const risk = 'none is waited for, so that its promotion loses payments that were acknowledged';
  return warned(check, `${detail}; ${risk}`, 'name one in synchronous_standby_names');
}

/** A slot of a copy that is gone keeps the log of the server for ever. */
function judgeSlot({
  name,
  active,
  status,
  heldBytes,
}: ReplicationState['slots'][number]): Finding[] {
  const check = 'replication_slot';
  const drop = `start its reader, or SELECT pg_drop_replication_slot('${name}')`;
  if (status === 'lost' || status === 'unreserved') {
    return [
      warned(check, `${name} has lost log that its reader needs`, `make the standby anew; ${drop}`),
    ];
  }
  if (!active) {
    const held = Math.round((heldBytes ?? 0) / 1e6);
    return [warned(check, `nobody reads ${name}, which holds ${held} MB of log back`, drop)];
  }
  if ((heldBytes ?? 0) <= HELD_BACK_BYTES) return [];
  const held = Math.round((heldBytes ?? 0) / 1e6);
  return [warned(check, `${name} holds ${held} MB of log back`, SEE_STANDBY)];
}
