import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import type { Definition, Field } from '../../../engine/definitions/definition';
import { fileNameProblem } from '../../../engine/imports/file-kinds';
import type { CellFormat } from '../../../engine/imports/cell-formats';
import { normaliseHeading, type HeadingMapping } from '../../../engine/imports/headings';
import { importOf } from '../../../engine/definitions/accessors';
import type { ValueMeanings, MeaningTarget } from '../../../engine/imports/value-meanings';
import { ApiError } from '../../session/api';
import { previewImport, startImport, type ImportForm, type PreviewResponse, type SheetSummary } from './api';
import { importsKey } from '../../data/importAccess';

const toastDuration = 7000;
const maxFileSize = 5 * 1024 * 1024;

/** Why a file cannot be imported, checked before it is sent; undefined if it can. */
function fileError(definition: Definition, file: File): string | undefined {
  const isTooLarge = file.size > maxFileSize;
  return fileNameProblem(importOf(definition), file.name) ?? (isTooLarge ? 'The file is larger than 5 MB.' : undefined);
}

/** The user's choices for a file. */
type ImportMapping = Pick<
  ImportForm,
  'mapping' | 'meanings' | 'memory' | 'sheet' | 'empty' | 'formats' | 'unknown' | 'split'
>;

const defaultMapping: ImportMapping = {
  mapping: {},
  meanings: {},
  memory: true,
  sheet: null,
  empty: 'keep',
  formats: {},
  unknown: 'refuse',
  split: false,
};

/** The state of the import form: the chosen file and mapping, the server's preview, and the function that starts the import. */
export function useImport(definition: Definition, field: Field | undefined, onStarted: (job: number) => void) {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [contextValue, setContextValue] = useState<unknown>();
  const [file, setFile] = useState<File | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [settings, setSettings] = useState(defaultMapping);
  const [isImporting, setImporting] = useState(false);
  const [question, setQuestion] = useState<string>();
  const [inDoubt, setInDoubt] = useState(false);

  const fault = file ? fileError(definition, file) : undefined;
  const isSet = contextValue !== undefined && contextValue !== null && contextValue !== '';
  const importForm = file && !fault && (isSet || !field) ? { contextValue, file, ...settings } : null;
  const preview = useQuery({
    // Not below the key of imports: events about imports do not change a file's content.
    queryKey: ['import-preview', definition.name, contextValue, attempt, settings],
    queryFn: importForm ? ({ signal }) => previewImport(definition, field?.name, importForm, signal) : skipToken,
    enabled: !isImporting,
    placeholderData: (last, query) =>
      query?.queryKey[3] === attempt &&
      query.queryKey[2] === contextValue &&
      (query.queryKey[4] as ImportMapping).sheet === settings.sheet
        ? last
        : undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });

  const say = (message: string, type: 'error') =>
    notify(message, { type, autoHideDuration: toastDuration, messageArgs: { _: message } });
  const choose = (nextFile: File | null) => {
    setFile(nextFile);
    setSettings(defaultMapping);
    setInDoubt(false);
    setAttempt((count) => count + 1);
  };
  const submit = async (form: ImportForm, isRepeat = false) => {
    setImporting(true);
    setQuestion(undefined);
    try {
      onStarted(await startImport(definition, field?.name, withMemory(form, preview.data), isRepeat));
      choose(null);
    } catch (error) {
      // The file was imported before: ask with the server's message.
      if (error instanceof ApiError && error.status === 409) return setQuestion(error.message);
      // A refusal may have the status 200.
      const isRefusal = error instanceof ApiError && error.status >= 200 && error.status < 500;
      setInDoubt(!isRefusal);
      say(isRefusal ? error.message : 'An error occurred during import.', 'error');
    } finally {
      setImporting(false);
      await queryClient.invalidateQueries({ queryKey: [importsKey] });
    }
  };
  return {
    contextValue,
    setContextValue,
    file,
    choose,
    fault: fault ?? (importForm && preview.error ? preview.error.message : undefined),
    preview: importForm ? preview.data : undefined,
    isReading: importForm !== null && preview.isFetching,
    isImporting,
    /** Whether it is unknown if the import was started, because no response arrived. */
    inDoubt,
    /** The sheets to choose from, also if the current one cannot be read. */
    sheets: importForm ? (sheetsFromError(preview.error) ?? preview.data?.sheets ?? []) : [],
    sheet: settings.sheet,
    chooseSheet: (sheet: string) => setSettings({ ...defaultMapping, sheet }),
    empty: settings.empty,
    chooseEmpty: (empty: ImportForm['empty']) => setSettings((settingsBefore) => ({ ...settingsBefore, empty })),
    unknown: settings.unknown,
    chooseUnknown: (unknown: ImportForm['unknown']) =>
      setSettings((settingsBefore) => ({ ...settingsBefore, unknown })),
    split: settings.split,
    chooseSplit: (split: boolean) => setSettings((settingsBefore) => ({ ...settingsBefore, split })),
    chooseFormat: (heading: string, format: CellFormat) =>
      setSettings((settingsBefore) => ({
        ...settingsBefore,
        formats: { ...settingsBefore.formats, [heading]: format },
      })),
    startOver: () => setSettings(({ sheet, empty }) => ({ ...defaultMapping, sheet, empty, memory: false })),
    mapColumn: (heading: string, value: string | null) =>
      setSettings((settingsBefore) => ({
        ...settingsBefore,
        mapping: { ...settingsBefore.mapping, [heading]: value },
      })),
    mapValue: (heading: string, text: string, target: MeaningTarget | undefined) =>
      setSettings((settingsBefore) => ({
        ...settingsBefore,
        meanings: withValueMeaning(settingsBefore.meanings, heading, text, target),
      })),
    question,
    submit: (isRepeat: boolean) => importForm && void submit(importForm, isRepeat),
    dismissQuestion: () => setQuestion(undefined),
  };
}

/** The meanings with another one for a value; undefined removes the user's choice. */
function withValueMeaning(
  meanings: ValueMeanings,
  heading: string,
  text: string,
  target: MeaningTarget | undefined,
): ValueMeanings {
  const { [text]: _, ...rest } = meanings[heading] ?? {};
  return { ...meanings, [heading]: target === undefined ? rest : { ...rest, [text]: target } };
}

/** The form with the reused choices of an earlier file, so that the server recognises an identical import. */
function withMemory(currentForm: ImportForm, preview: PreviewResponse | undefined): ImportForm {
  const form = { ...currentForm, ...(preview?.matched_by && { seenAt: preview.seen_at }) };
  if (!preview?.memory) return form;
  const rememberedColumns = preview.columns
    .filter(({ by: origin }) => origin === 'memory')
    .map(({ heading, field }) => [heading, field]);
  const mapping: HeadingMapping = { ...Object.fromEntries(rememberedColumns), ...form.mapping };
  const { values } = preview.memory;
  const headings = new Map(preview.columns.map(({ heading }) => [normaliseHeading(heading), heading]));
  const knownMeanings = Object.entries(values).map(
    ([normalHeading, valueMeanings]) => [headings.get(normalHeading) ?? normalHeading, valueMeanings] as const,
  );
  const meanings = Object.fromEntries(
    knownMeanings.map(([heading, valueMeanings]) => [heading, { ...valueMeanings, ...form.meanings[heading] }]),
  );
  return { ...form, mapping, meanings: { ...form.meanings, ...meanings } };
}

function sheetsFromError(error: Error | null): SheetSummary[] | undefined {
  return error instanceof ApiError ? (error.body.sheets as SheetSummary[] | undefined) : undefined;
}
