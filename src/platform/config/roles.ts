/** `api` answers calls; `worker` does the work that goes on beside them. */
export const ROLES = ['api,worker', 'api', 'worker'] as const;

export function rolesOf(roles: (typeof ROLES)[number]) {
  return { answersCalls: roles !== 'worker', doesJobs: roles !== 'api', sendsEvents: true };
}

/** Settings of the work that goes on beside the answers. */
export interface JobSettings {
  doesJobs: boolean;
  sealSeconds: number;
  dueDateSeconds: number;
  integrityHours: number;
  mailSeconds: number;
}

/** For a process that leaves it to another one. */
export function withoutJobs<Settings extends JobSettings>(settings: Settings): Settings {
  return {
    ...settings,
    doesJobs: false,
    sealSeconds: 0,
    dueDateSeconds: 0,
    integrityHours: 0,
    mailSeconds: 0,
  };
}
