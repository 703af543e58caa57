import type { ResilienceStep } from '../step';
import { backup } from './backup';
import { companies } from './companies';
import { databaseFailures } from './database';
import { fullDisk } from './disk';
import { failover } from './failover';
import { imports } from './imports';
import { kills } from './kills';
import { deadListenConnection } from './dead-listen';
import { overload } from './overload';
import { people } from './people';
import { pooler } from './pooler';
import { proxies } from './proxies';
import { results } from './results';
import { rollingRestart } from './rolling';
import { rushes } from './rushes';
import { knownAttacks } from './attacks';

/** All steps, in order. */
export const steps: Readonly<Record<string, ResilienceStep>> = {
  kills,
  imports,
  results,
  rolling: rollingRestart,
  proxies,
  pooler,
  database: databaseFailures,
  disk: fullDisk,
  listen: deadListenConnection,
  overload,
  rushes,
  stoppers: knownAttacks,
  companies,
  people,
  backup,
  failover,
};
