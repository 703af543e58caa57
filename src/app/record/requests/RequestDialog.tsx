import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import { useId } from 'react';
import { RecordContextProvider, ResourceContextProvider, useGetOne } from 'react-admin';
import { formatTotal } from '../../../engine/formats/numbers';
import type { Definition, RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { fillTemplate } from '../../../engine/definitions/labels';
import { isGranted } from '../../../engine/access/access-decision';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useGuardedClose } from '../../form/useGuardedClose';
import { Icon } from '../../icons/Icon';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import { RelatedRecords } from './RelatedRecords';
import { RequestForm } from './RequestForm';
import { useRequestTotal } from './useRequestTotal';
import * as formStyles from '../../form/form.module.css';
import * as styles from './requests.module.css';

export interface RequestDialogProps {
  definition: Definition;
  request: RequestDefinition;
  /** The record that the request is made on. */
  id: string;
  onClose: () => void;
}

/** A request on a record: its form on the left, and the records that it creates on the right. */
export function RequestDialog({ definition, request, id, onClose }: RequestDialogProps) {
  const { actor } = useDefinitions();
  const titleId = useId();
  const { close, onDirty, question } = useGuardedClose(onClose);
  const { data, error, refetch } = useGetOne(definition.name, { id }, { retry: false });
  const record = data as ResourceRecord | undefined;
  const reload = async () => (await refetch()).data as ResourceRecord | undefined;
  const total = useRequestTotal(request, record);
  const [title, ...details] = fillTemplate(request.title, {
    total: total === undefined ? '…' : formatTotal(total),
  }).split(' | ');
  const relatedList = request.list && isGranted(actor, request.list.resource, 'list') ? request.list : null;
  return (
    <ResourceContextProvider value={definition.name}>
      <RecordContextProvider value={record}>
        <Dialog
          open
          aria-labelledby={titleId}
          slotProps={{ paper: { className: styles.requestDialog, sx: { width: request.width, maxWidth: 'none' } } }}
          onClose={(_, reason) => reason === 'escapeKeyDown' && close()}
        >
          <DialogTitle id={titleId} component="h2">
            {title}
            {details.map((text) => (
              <span key={text} className={`${styles.requestTotal} num`}>
                {' | '}
                {text}
              </span>
            ))}
            <IconButton aria-label="Close" sx={{ ml: 'auto' }} onClick={close}>
              <Icon name="close" />
            </IconButton>
          </DialogTitle>
          {error && !record ? (
            <FailedState
              title={`${definition.labels.one} could not be loaded`}
              message={(error as Error).message}
              onRetry={() => void refetch()}
            />
          ) : (
            <div className={styles.requestBody}>
              <div className={`${styles.requestForm} ${formStyles.formDialog}`} data-columns="1">
                {record ? (
                  <RequestForm {...{ definition, request, record, onDirty }} onReload={reload} />
                ) : (
                  <SkeletonRows rows={4} />
                )}
              </div>
              {relatedList && record && (
                <div className={styles.requestList}>
                  <RelatedRecords list={relatedList} record={record} />
                </div>
              )}
            </div>
          )}
        </Dialog>
        {question}
      </RecordContextProvider>
    </ResourceContextProvider>
  );
}
