import { createElement, useCallback, useEffect } from 'react';
import type { FieldTypeName } from '../../engine/definitions/definition';
import { Splash } from '../brand/Splash';
import { productTitle, setDocumentTitle } from '../brand/productTitle';
import { sharedOf } from '../fields/shared';
import { fetchApi } from '../session/api';
import { navigate, usePath } from '../session/navigation';
import { SharedMessage } from './SharedMessage';
import { SharedPage } from './SharedPage';
import { parseSharedPath } from './sharedPaths';
import { SharedFact, SharedSection } from './SharedSection';
import { useShared } from './useShared';
import * as styles from './shared.module.css';

/** A field in the response of `POST shared-records`. */
interface SharedField {
  readonly name: string;
  readonly label: string;
  readonly type: FieldTypeName;
  readonly width: string;
  readonly value: unknown;
  readonly text: string;
}

interface SharedRecord {
  readonly label: string;
  readonly title: string;
  readonly fields: readonly SharedField[];
}

async function loadRecord(path: string, signal: AbortSignal): Promise<SharedRecord | null> {
  const json = parseSharedPath(path);
  const init = { method: 'POST', json, anonymous: true, signal };
  return (await fetchApi<{ data: SharedRecord | null }>('/shared-records', init)).data;
}

/** `{path}/{link}`: a record for everybody who has the link, with the fields that its definition shares. */
export default function SharedRecordPage() {
  const path = usePath();
  const {
    content: sharedRecord,
    failure,
    retry,
  } = useShared(useCallback((signal: AbortSignal) => loadRecord(path, signal), [path]));
  useEffect(() => {
    if (sharedRecord !== undefined) setDocumentTitle(sharedRecord?.title ?? 'Link not found');
  }, [sharedRecord]);
  if (failure)
    return (
      <SharedMessage
        note="Shared, read-only"
        title="This could not be loaded"
        message={failure.message}
        action="Try again"
        onAction={retry}
      />
    );
  if (sharedRecord === undefined) return <Splash />;
  if (sharedRecord === null)
    return (
      <SharedMessage
        note="Shared, read-only"
        title="This link is not valid"
        message="It was renewed or revoked, or the record was deleted. Ask the sender for a new link."
        action={`Go to ${productTitle()}`}
        onAction={() => navigate('/')}
      />
    );
  const { label, title, fields } = sharedRecord;
  const facts = fields.filter((field) => !isSection(field));
  return (
    <SharedPage note={`Shared ${label.toLowerCase()}, read-only`}>
      <div className={styles.sharedSheet} data-facts={facts.length > 0}>
        <article>
          <h1>{title}</h1>
          {fields.filter(isSection).map((field) => (
            <SharedSection key={field.name} label={field.label}>
              {renderValue(field)}
            </SharedSection>
          ))}
        </article>
        {facts.length > 0 && (
          <aside aria-label="Facts">
            <dl>
              {facts.map((field) => (
                <SharedFact key={field.name} label={field.label}>
                  {renderValue(field)}
                </SharedFact>
              ))}
            </dl>
          </aside>
        )}
      </div>
    </SharedPage>
  );
}

function isSection(field: SharedField): boolean {
  return sharedOf(field).isSection(field);
}

function renderValue(field: SharedField) {
  const { value, text } = field;
  if (value === null || text === '') return null;
  return createElement(sharedOf(field).Value, { value, text });
}
