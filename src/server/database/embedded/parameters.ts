import { totalmem } from 'node:os';

const MB = 1024 * 1024;

/**
 * The server's parameters, for a small machine shared with the program. Accepts TCP connections from this machine only.
 * `fast` gives up crash safety, for tests.
 */
export function serverParameters(port: number, fast: boolean): Record<string, string> {
  const memory = Math.floor(totalmem() / MB);
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '60',
    shared_buffers: `${Math.min(512, Math.max(64, Math.floor(memory / 8)))}MB`,
    effective_cache_size: `${Math.max(128, Math.floor(memory / 2))}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The program reports failed statements; the file is for the server's own messages.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(fast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
}
