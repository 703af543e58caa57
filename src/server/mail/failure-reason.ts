/** Why a mail could not be sent, as a message for users who are not operators: no host names, no credentials. */
export function mailFailureReason(error: unknown): string {
  const { code = '', responseCode, name } = (error ?? {}) as { code?: string; responseCode?: number; name?: string };
  if (name === 'TimeoutError') return 'The mail server took too long to answer.';
  if (code === 'EAUTH') return 'The mail server rejected the credentials of this installation.';
  if (code === 'EENVELOPE' || (responseCode !== undefined && responseCode >= 500)) {
    return `The mail server refused the message${responseCode ? ` (${responseCode})` : ''}: the address may be wrong.`;
  }
  if (responseCode !== undefined && responseCode >= 400) {
    return `The mail server rejected the message for now (${responseCode}).`;
  }
  if (
    ['ETIMEDOUT', 'ECONNREFUSED', 'ECONNECTION', 'ECONNRESET', 'ESOCKET', 'EDNS', 'ENOTFOUND', 'EHOSTUNREACH'].includes(
      code,
    )
  ) {
    return 'The mail server could not be reached.';
  }
  if (['ENOSPC', 'EACCES', 'EROFS'].includes(code)) return 'The mail could not be written to the disk.';
  return 'The mail could not be composed or sent. See the server log for details.';
}
