import { useEffect, useRef, useState } from 'react';
import { reportError } from '../../data/ErrorToasts';
import { useApi } from '../../session/apiClient';
import type { DownloadProgress } from '../../actions/download';

/**
 * One download at a time: its progress (null: none), and functions to start and stop it. Leaving the screen stops it. The
 * code of downloads is loaded with the first one.
 *
 * @example const { progress, start, stop } = useDownload();
 */
export function useDownload() {
  const ask = useApi();
  const [progress, setProgress] = useState<DownloadProgress | null>(null);
  const currentControl = useRef<AbortController | null>(null);
  const stop = () => currentControl.current?.abort();
  useEffect(() => () => currentControl.current?.abort(), []);

  const start = (path: string | (() => Promise<string>)) => {
    if (currentControl.current) return;
    const control = new AbortController();
    currentControl.current = control;
    setProgress({ written: 0, total: 0 });
    const download = async () => {
      const { downloadFile } = await import('../../actions/download');
      const address = typeof path === 'string' ? path : await path();
      await downloadFile(address, ask, { signal: control.signal, onProgress: setProgress });
    };
    download()
      .catch(reportError)
      .finally(() => {
        currentControl.current = null;
        setProgress(null);
      });
  };
  return { progress, start, stop };
}
