import type { ProofStep } from '../proof';
import { backup } from './backup';
import { companies } from './companies';
import { databaseFaults } from './database';
import { fullDisk } from './disk';
import { failover } from './failover';
import { imports } from './imports';
import { kills } from './kills';
import { deadListen } from './listen';
import { overload } from './overload';
import { people } from './people';
import { pooler } from './pooler';
import { proxies } from './proxies';
import { rollingRestart } from './rolling';
import { stoppers } from './stoppers';

/** All steps, in order. */
export const steps: Readonly<Record<string, ProofStep>> = {
  kills,
  imports,
  rolling: rollingRestart,
  proxies,
  pooler,
  database: databaseFaults,
  disk: fullDisk,
  listen: deadListen,
  overload,
  stoppers,
  companies,
  people,
  backup,
  failover,
};
