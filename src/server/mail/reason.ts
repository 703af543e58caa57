/** Why a mail could not be sent, in words for people who do not run the installation: no hosts, no credentials. */
export function reasonOf(error: unknown): string {
  const { code = '', responseCode, name } = (error ?? {}) as { code?: string; responseCode?: number; name?: string };
  if (name === 'TimeoutError') return 'The mail server took too long to answer.';
  if (code === 'EAUTH') return 'The mail server did not accept the sign-in of this installation.';
  if (code === 'EENVELOPE' || (responseCode !== undefined && responseCode >= 500)) {
    return `The mail server refused the message${responseCode ? ` (${responseCode})` : ''}: the address may be wrong.`;
  }
  if (responseCode !== undefined && responseCode >= 400) {
    return `The mail server did not take the message for now (${responseCode}).`;
  }
  if (
    ['ETIMEDOUT', 'ECONNREFUSED', 'ECONNECTION', 'ECONNRESET', 'ESOCKET', 'EDNS', 'ENOTFOUND', 'EHOSTUNREACH'].includes(
      code,
    )
  ) {
    return 'The mail server could not be reached.';
  }
  if (['ENOSPC', 'EACCES', 'EROFS'].includes(code)) return 'The mail could not be written to the disk.';
  return 'The mail could not be written or sent. The log of the server says more.';
}
