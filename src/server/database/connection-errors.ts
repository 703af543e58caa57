import { connect } from 'node:net';
import pg from 'pg';
import { StartError } from '../lifecycle/start-error';

/** Why the database can't be used, and whether waiting may help. */
export interface ConnectionProblem {
  /** A message with the server's address and without the password. */
  readonly words: string;
  readonly mayPass: boolean;
}

/** Transient errors: the server is starting, the network is coming up, or a failover is running. */
const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ENOENT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25006',
  '08006',
  '08001',
  '08004',
]);

/** Explains an error of the connection to `url`. Also detects servers that do not speak PostgreSQL's protocol. */
export async function describeConnectionError(error: unknown, url: string): Promise<ConnectionProblem> {
  const { code = '', message } = error as { code?: string; message: string };
  const mayPass = transientCodes.has(code) || /timeout|terminated/i.test(message);
  const fault = (words: string) => ({ words, mayPass });
  const { host, port, location, user, database } = parseAddress(url);
  const knownMessage = messageByCode(code, { location, host, user, database });
  if (knownMessage) return fault(knownMessage);
  if (/does not support SSL/i.test(message))
    return fault(`the server at ${location} does not support TLS: remove sslmode=require`);
  if (/self.signed|certificate|unable to verify|altname/i.test(`${code} ${message}`)) {
    return fault(
      `the TLS certificate of ${location} is not trusted (${message}): set sslrootcert=… to its certificate authority`,
    );
  }
  if (/client password must be a string|SASL.*password/i.test(message)) {
    return fault(`the server at ${location} asks for a password and the address has none`);
  }
  if (!host.startsWith('/') && !(await speaksPostgres(host, port))) {
    return fault(`${location} accepts connections, but does not respond like PostgreSQL`);
  }
  return fault(`${location} cannot be used (${message.split('\n')[0]})`);
}

/** As `describeConnectionError`, as an error that names the setting. */
export async function toStartError(error: unknown, url: string): Promise<StartError> {
  return new StartError(`DATABASE_URL: ${(await describeConnectionError(error, url)).words}`);
}

interface ServerAddress {
  readonly host: string;
  readonly location: string;
  readonly user: string;
  readonly database: string;
}

function messageByCode(code: string, { host, location, user, database }: ServerAddress): string | undefined {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host ${host} is unknown: check its name and the network's DNS`;
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `nothing accepts connections at ${location}: check host and port, and whether the server is running`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${location} cannot be reached: check the network and its firewalls`;
    case '28P01':
      return `the password of the user ${user} is wrong`;
    case '28000':
      return `the server at ${location} does not accept the user ${user} from here: check that the user exists and may sign in, pg_hba.conf, and whether the server requires TLS (sslmode=require)`;
    case '3D000':
      return `there is no database ${database} on the server at ${location}: create it, owned by ${user}`;
    case '42501':
      return `the user ${user} is not allowed to create what Assay needs in the database ${database}: make ${user} its owner, or grant CREATE on it and on its schema public`;
    case '0A000':
    case '58P01':
      return `the server at ${location} lacks the extension pg_trgm: install PostgreSQL's contrib package there`;
    case '57P03':
      return `the server at ${location} is starting or stopping`;
    case '53300':
      return `the server at ${location} has no free connection: raise its max_connections, or close some connections`;
    case '25006':
      return `the database at ${location} is read-only: use the address of the primary server`;
    case '53100':
      return `the disk of the server at ${location} is full`;
    default:
      return undefined;
  }
}

/** The parts of an address, as the driver parses it. */
function parseAddress(url: string): ServerAddress & { readonly port: number } {
  const { host, port, user = '', database = '' } = new pg.Client({ connectionString: url });
  return { host, port, location: host.startsWith('/') ? host : `${host}:${port}`, user, database };
}

const probeTimeout = 3_000;
/**
 * Asks whether the server supports TLS: PostgreSQL answers with one letter, other servers with something else or not at
 * all.
 */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

function speaksPostgres(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write(sslRequest));
    const end = (speaks: boolean) => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once('data', (data) => end(data.length === 1 && /[SNE]/.test(data.toString('latin1'))));
    socket
      .setTimeout(probeTimeout, () => end(false))
      .on('error', () => end(false))
      .on('end', () => end(false));
  });
}
