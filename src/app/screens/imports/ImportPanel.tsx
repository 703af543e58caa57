import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useMemo } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { importContextField } from '../../../engine/imports/context-field';
import { useDefinitions } from '../../data/DefinitionsContext';
import { ChoiceInput } from '../../fields/choices/ChoiceInput';
import { loadChoices } from '../../fields/choices/loadChoices';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { Icon } from '../../icons/Icon';
import { SkeletonRows } from '../../states/SkeletonRows';
import { downloadSample, type SheetSummary } from './api';
import { fileEndings } from '../../../engine/imports/file-kinds';
import { importOf } from '../../../engine/definitions/accessors';
import { FileInput } from './FileInput';
import { ImportPreview } from './ImportPreview';
import { useFollowedImport, type FollowedImport } from './useFollowedImport';
import { useImport } from './useImport';
import * as styles from './imports.module.css';
import { formatNumber } from '../../../engine/formats/numbers';
import { isUnfinished } from '../jobs/api';
import { JobStateLabel } from '../jobs/JobStateLabel';
import { Progress } from '../jobs/Progress';

/** The import form: the file, the record it belongs to, and the server's preview before anything is stored. */
export function ImportPanel({ definition }: { definition: Definition }) {
  const { registry, actor } = useDefinitions();
  const field = importContextField(actor, definition);
  const followedImport = useFollowedImport(definition);
  const form = useImport(definition, field, followedImport.follow);
  const source = useMemo(() => {
    if (!field) return undefined;
    const query = { resource: definition.name, field: field.name };
    return {
      key: [definition.name, field.name],
      load: (text: string, signal?: AbortSignal) => loadChoices({ ...query, text }, signal),
      find: (ids: readonly (number | string)[], signal?: AbortSignal) => loadChoices({ ...query, ids }, signal),
      target: registry.get(field.to),
    };
  }, [definition.name, field, registry]);
  const isSet = form.contextValue !== undefined && form.contextValue !== null;
  const { preview, file, fault } = form;
  return (
    <>
      <Stack direction="row" sx={{ flex: 'none', flexWrap: 'wrap', gap: 3, alignItems: 'flex-end' }}>
        {field && source && (
          <div className={`${styles.importsField} ${styles.importsAsked}`}>
            <label id="import-asked-label" htmlFor="import-asked">
              {field.label}
              <b aria-hidden="true">*</b>
            </label>
            <ChoiceInput
              id="import-asked"
              field={field}
              source={source}
              value={form.contextValue}
              onChange={form.setContextValue}
              required
            />
          </div>
        )}
        <FileInput
          endings={fileEndings(importOf(definition))}
          file={file}
          onFile={form.choose}
          isBusy={form.isImporting}
          error={fault}
        />
        {form.sheets.length > 1 && (
          <SheetSelect
            sheets={form.sheets}
            sheet={form.sheet ?? preview?.sheet ?? null}
            isBusy={form.isImporting}
            onSheet={form.chooseSheet}
          />
        )}
        <span className={styles.importsGap} />
        <Button
          variant="outlined"
          size="large"
          startIcon={<Icon name="download" />}
          onClick={() =>
            void downloadSample(definition, field && isSet ? { [field.name]: form.contextValue } : {}).catch(
              console.error,
            )
          }
        >
          Download sample
        </Button>
      </Stack>
      <RunningImport definition={definition} followedImport={followedImport} />
      {file && !fault && field && !isSet && (
        <p className={styles.importsHint}>Choose the {field.label.toLowerCase()} to preview the import.</p>
      )}
      {file && preview && !fault && (
        <ImportPreview
          definition={definition}
          file={file}
          preview={preview}
          isReading={form.isReading}
          isImporting={form.isImporting}
          isOutcomeUnknown={form.inDoubt}
          contextValues={field && isSet ? { [field.name]: form.contextValue } : {}}
          onMap={form.mapColumn}
          onMapValue={form.mapValue}
          empty={form.empty}
          onEmpty={form.chooseEmpty}
          unknown={form.unknown}
          onUnknown={form.chooseUnknown}
          split={form.split}
          onSplit={form.chooseSplit}
          onFormat={form.chooseFormat}
          onStartOver={form.startOver}
          onImport={() => form.submit(false)}
        />
      )}
      <ConfirmDialog
        open={form.question !== undefined}
        title="Imported before"
        question={form.question ?? ''}
        confirmLabel="Import again"
        width={400}
        isBusy={form.isImporting}
        onConfirm={() => form.submit(true)}
        onClose={form.dismissQuestion}
      />
      {!preview && form.isReading && (
        <section className={styles.importsCard} aria-label="Preview">
          <SkeletonRows rows={5} height={44} />
        </section>
      )}
    </>
  );
}

interface SheetSelectProps {
  sheets: readonly SheetSummary[];
  /** The sheet that is imported; null while it is unknown. */
  sheet: string | null;
  isBusy: boolean;
  onSheet: (sheet: string) => void;
}

/** A select for the workbook's sheet to import. */
function SheetSelect({ sheets, sheet, isBusy, onSheet }: SheetSelectProps) {
  return (
    <div className={`${styles.importsField} ${styles.importsSheet}`}>
      <label className={styles.importsLabel} htmlFor="import-sheet">
        Sheet
      </label>
      <span className={styles.importsDrop}>
        <select
          id="import-sheet"
          value={sheet ?? ''}
          disabled={isBusy}
          onChange={(event) => onSheet(event.target.value)}
        >
          {sheet === null && <option value="">Choose a sheet</option>}
          {sheets.map(({ name, rows }) => (
            <option key={name} value={name}>
              {name} ({formatNumber(rows)} {rows === 1 ? 'row' : 'rows'})
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </div>
  );
}

/** The import that was started last in this tab: its progress, then its result, until it is dismissed. */
function RunningImport({ definition, followedImport }: { definition: Definition; followedImport: FollowedImport }) {
  const { job, isBusy, cancel, resume, dismiss } = followedImport;
  if (!job) return null;
  const { title, state, done: doneCount, total, message, can_cancel: mayCancel, can_retry: mayRetry, result } = job;
  const failed = result?.failed_file;
  return (
    <section className={`${styles.importsCard} ${styles.importsNow}`} aria-label={`Import of ${title}`}>
      <header>
        <JobStateLabel state={state} />
        <b className={styles.importsName}>{title}</b>
        {isUnfinished(job) && <Progress value={doneCount} total={total} label={title} />}
        {!isUnfinished(job) && <small role="status">{message}</small>}
        <span className={styles.importsGap} />
        {isUnfinished(job) && (
          <Button size="small" variant="outlined" disabled={!mayCancel || isBusy} onClick={cancel}>
            {mayCancel ? 'Cancel' : 'Cancelling…'}
          </Button>
        )}
        {failed && (
          <Button size="small" variant="outlined" startIcon={<Icon name="download" />} href={failed.url}>
            Download {definition.labels.many.toLowerCase()} with errors
          </Button>
        )}
        {mayRetry && (
          <Button size="small" variant="contained" startIcon={<Icon name="play" />} disabled={isBusy} onClick={resume}>
            Continue
          </Button>
        )}
        {!isUnfinished(job) && (
          <Button size="small" startIcon={<Icon name="close" />} onClick={dismiss}>
            Dismiss
          </Button>
        )}
      </header>
    </section>
  );
}
