import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import type { Definition, Field } from '../../src/engine/definitions/definition';
import { plainHeading, type Mapping } from '../../src/engine/imports/headings';
import type { Meanings, Meant } from '../../src/engine/imports/meanings';
import { ApiError } from '../../src/app/session/api';
import { previewImport, room, sendImport, type ImportForm, type PreviewAnswer, type SheetName } from './calls';

const toastTime = 7000;
const limit = 5 * 1024 * 1024;
const endings = /\.(xlsx|xls|csv)$/i;

/** Why a file cannot be imported, checked before it is sent; undefined if it can. */
function faultOf(file: File): string | undefined {
  if (!endings.test(file.name)) return 'The file must be an .xlsx, .xls or .csv file.';
  if (file.size > limit) return 'The file is larger than 5 MB.';
  return undefined;
}

/** What the user has chosen for a file. */
type Said = Pick<ImportForm, 'mapping' | 'meanings' | 'memory' | 'sheet'>;

const nothingSaid: Said = { mapping: {}, meanings: {}, memory: true, sheet: null };

/** The state of the import form: the chosen file and mapping, the server's preview, and the function that starts the import. */
export function useImport(definition: Definition, field: Field | undefined, onStarted: (job: number) => void) {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<unknown>();
  const [file, setFile] = useState<File | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [said, setSaid] = useState(nothingSaid);
  const [isImporting, setImporting] = useState(false);
  const [question, setQuestion] = useState<string>();
  const [inDoubt, setInDoubt] = useState(false);

  const fault = file ? faultOf(file) : undefined;
  const isSet = asked !== undefined && asked !== null && asked !== '';
  const ready = file && !fault && (isSet || !field) ? { asked, file, ...said } : null;
  const preview = useQuery({
    // Not below the key of imports: events about imports do not change a file's content.
    queryKey: ['import-preview', definition.name, asked, attempt, said],
    queryFn: ({ signal }) => previewImport(definition, field?.name, ready!, signal),
    enabled: ready !== null && !isImporting,
    placeholderData: (last, query) =>
      query?.queryKey[3] === attempt && query.queryKey[2] === asked && (query.queryKey[4] as Said).sheet === said.sheet
        ? last
        : undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });

  const say = (message: string, type: 'error') =>
    notify(message, { type, autoHideDuration: toastTime, messageArgs: { _: message } });
  const choose = (chosen: File | null) => {
    setFile(chosen);
    setSaid(nothingSaid);
    setInDoubt(false);
    setAttempt((count) => count + 1);
  };
  const submit = async (form: ImportForm, again = false) => {
    setImporting(true);
    setQuestion(undefined);
    try {
      onStarted(await sendImport(definition, field?.name, withMemory(form, preview.data), again));
      choose(null);
    } catch (error) {
      // The file was imported before: ask with the server's message.
      if (error instanceof ApiError && error.status === 409) return setQuestion(error.message);
      const told = error instanceof ApiError && error.status >= 400 && error.status < 500;
      setInDoubt(!told);
      say(told ? error.message : 'An error occurred during import.', 'error');
    } finally {
      setImporting(false);
      await queryClient.invalidateQueries({ queryKey: [room] });
    }
  };
  return {
    asked,
    setAsked,
    file,
    choose,
    fault: fault ?? (ready && preview.error ? preview.error.message : undefined),
    preview: ready ? preview.data : undefined,
    isReading: ready !== null && preview.isFetching,
    isImporting,
    /** Whether it is unknown if the import was started, because no response arrived. */
    inDoubt,
    /** The sheets to choose from, also if the current one cannot be read. */
    sheets: ready ? (sheetsOf(preview.error) ?? preview.data?.sheets ?? []) : [],
    sheet: said.sheet,
    chooseSheet: (sheet: string) => setSaid({ ...nothingSaid, sheet }),
    startOver: () => setSaid(({ sheet }) => ({ ...nothingSaid, sheet, memory: false })),
    map: (heading: string, value: string | null) =>
      setSaid((old) => ({ ...old, mapping: { ...old.mapping, [heading]: value } })),
    mean: (heading: string, text: string, to: Meant | undefined) =>
      setSaid((old) => ({ ...old, meanings: withMeaning(old.meanings, heading, text, to) })),
    question,
    submit: (again: boolean) => ready && void submit(ready, again),
    leave: () => setQuestion(undefined),
  };
}

/** The meanings with another one for a value; undefined removes the user's choice. */
function withMeaning(meanings: Meanings, heading: string, text: string, to: Meant | undefined): Meanings {
  const { [text]: _, ...rest } = meanings[heading] ?? {};
  return { ...meanings, [heading]: to === undefined ? rest : { ...rest, [text]: to } };
}

/** The form with the reused choices of an earlier file, so that the server recognises an identical import. */
function withMemory(form: ImportForm, preview: PreviewAnswer | undefined): ImportForm {
  if (!preview?.memory) return form;
  const remembered = preview.columns.filter(({ by }) => by === 'memory').map(({ heading, field }) => [heading, field]);
  const mapping: Mapping = { ...Object.fromEntries(remembered), ...form.mapping };
  const { values } = preview.memory;
  const headings = new Map(preview.columns.map(({ heading }) => [plainHeading(heading), heading]));
  const known = Object.entries(values).map(([plain, of]) => [headings.get(plain) ?? plain, of] as const);
  const meanings = Object.fromEntries(known.map(([heading, of]) => [heading, { ...of, ...form.meanings[heading] }]));
  return { ...form, mapping, meanings: { ...form.meanings, ...meanings } };
}

function sheetsOf(error: Error | null): SheetName[] | undefined {
  return error instanceof ApiError ? (error.body.sheets as SheetName[] | undefined) : undefined;
}
