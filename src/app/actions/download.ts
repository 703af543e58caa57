import { fetchApi, fileLimit } from '../session/api';
import type { ApiClient } from '../session/apiClient';

/** The progress of a download, in rows. */
export interface DownloadProgress {
  readonly written: number;
  readonly total: number;
}

const pollInterval = 500;

/**
 * Fetches a list as a file and saves it. `path` follows `/api`; `onProgress` is called until all rows are written.
 * Throws ApiError, and an AbortError when `signal` aborts.
 */
export async function downloadFile(
  path: string,
  ask: ApiClient,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: DownloadProgress) => void },
): Promise<void> {
  const name = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  const answer = await ask(`${path}&progress=${name}`, { signal, headers: { Accept: '*/*' }, limit: fileLimit });
  const total = Number(answer.headers.get('X-Total') ?? 0);
  onProgress({ written: 0, total });
  const follow = () =>
    fetchApi<{ data: DownloadProgress }>(`/export-progress/${name}`, { signal }, ask)
      .then(({ data }) => onProgress(data))
      // The download has ended, or the next poll will report it.
      .catch(() => undefined);
  const timer = setInterval(() => void follow(), pollInterval);
  try {
    saveFile(await answer.blob(), fileNameOf(answer) ?? 'download');
  } finally {
    clearInterval(timer);
  }
}

/** The file name in a response's headers. */
export function fileNameOf(answer: Response): string | undefined {
  return /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1];
}

/** Has the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
