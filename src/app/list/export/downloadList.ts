import { downloadFile } from '../../actions/download';
import { exportPath } from './exportPath';

/** Downloads the file of the list's own button: the server writes it, with texts instead of ids. */
export function downloadList(
  list: Parameters<typeof exportPath>[0],
  ask: Parameters<typeof downloadFile>[1],
): ReturnType<typeof downloadFile> {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  return downloadFile(exportPath(list, 'xlsx', 'shown'), ask, options);
}
