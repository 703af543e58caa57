import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { fileKeyOf, filesIn, type FileValue } from '../../../engine/field-types/stored-files';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { ApiError } from '../../session/apiError';
import { fetchWithProgress } from '../../session/fetchWithProgress';
import { fileProblem, tooManyFiles, type AcceptedFiles } from './fileProblem';

/** A file on its way to the server. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  /** How much of it has been sent, from 0 to 1. */
  readonly share: number;
  /** Why it could not be added; undefined while it may. */
  readonly error?: string;
}

/** Files that are sent at the same time; the others wait. */
const atOnce = 3;

interface UploadsOf {
  readonly field: AcceptedFiles;
  /** Where each of them is sent. */
  readonly path: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Called with what happened, for screen readers. */
  readonly onSpoken: (text: string) => void;
}

/**
 * Uploads files, each with its progress, and puts what is stored at the end of the field's value, in the order in which the
 * files were added. Uploads end when the input is removed.
 *
 * @example const { uploads, add, cancel, retry } = useUploads({ field, path, value, onChange, onSpoken });
 */
export function useUploads({ field, path, value, onChange, onSpoken }: UploadsOf) {
  const ask = useApi();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  const activeUploads = useRef(new Map<number, AbortController>());
  // Those that were sent, however they ended: an effect may still see one that has just been stored.
  const sentIds = useRef(new Set<number>());
  const lastId = useRef(0);
  /** The ids of the uploads that files came from, by the keys of the files. */
  const order = useRef(new Map<string, number>());

  const set = (next: readonly FileValue[]) => {
    latest.current = next;
    onChange(next);
  };
  /** The files with one more: before those that were added after it, however long it took. */
  const inOrder = (files: readonly FileValue[], file: FileValue, id: number): FileValue[] => {
    order.current.set(fileKeyOf(file.url), id);
    const nextIndex = files.findIndex(({ url }) => (order.current.get(fileKeyOf(url)) ?? 0) > id);
    return nextIndex < 0 ? [...files, file] : files.toSpliced(nextIndex, 0, file);
  };
  const add = (files: readonly File[]) => {
    const fileCount = filesIn(latest.current).length + uploads.length;
    const acceptedFiles = files.slice(0, Math.max(0, field.maxItems - fileCount));
    // Made once: React may compute a state twice, and each upload has an id of its own.
    const newUploads = files.map((file, index): Upload => {
      const error = index < acceptedFiles.length ? fileProblem(file, field) : tooManyFiles(field);
      return { id: ++lastId.current, file, share: 0, ...(error !== undefined && { error }) };
    });
    setUploads((previous) => [...previous, ...newUploads]);
  };
  const change = (id: number, part: Partial<Upload>) =>
    setUploads((previous) => previous.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  const drop = (id: number) => setUploads((previous) => previous.filter((upload) => upload.id !== id));

  const send = useEffectEvent(async ({ id, file }: Upload, signal: AbortSignal) => {
    const body = new FormData();
    body.append('file', file, file.name);
    try {
      const { data } = await fetchApi<{ data: FileValue }>(
        path,
        { method: 'POST', body, signal, fetch: fetchWithProgress((share) => change(id, { share })) },
        ask,
      );
      if (signal.aborted) return;
      set(inOrder(filesIn(latest.current), data, id));
      drop(id);
      onSpoken(`${file.name} was added.`);
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof ApiError ? (error.errors[field.name] ?? error.message) : 'It could not be sent.';
      change(id, { error: reason });
      onSpoken(`${file.name} could not be added: ${reason}`);
    } finally {
      activeUploads.current.delete(id);
    }
  });

  useEffect(() => {
    const waitingUploads = uploads.filter(({ id, error }) => error === undefined && !sentIds.current.has(id));
    for (const upload of waitingUploads.slice(0, Math.max(0, atOnce - activeUploads.current.size))) {
      const controller = new AbortController();
      sentIds.current.add(upload.id);
      activeUploads.current.set(upload.id, controller);
      void send(upload, controller.signal);
    }
  }, [uploads]);
  useEffect(() => {
    const controllers = activeUploads.current;
    return () => controllers.forEach((controller) => controller.abort());
  }, []);

  const cancel = ({ id, file }: Upload) => {
    activeUploads.current.get(id)?.abort();
    activeUploads.current.delete(id);
    drop(id);
    onSpoken(`${file.name} was not added.`);
  };
  const retry = ({ id, file }: Upload) => {
    const error = fileProblem(file, field);
    sentIds.current.delete(id);
    change(id, { error, share: 0 });
  };
  return { uploads, add, cancel, retry, set, current: () => filesIn(latest.current) };
}
