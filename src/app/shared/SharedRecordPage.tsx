import { useCallback, useEffect } from 'react';
import { formatInstant } from '../../engine/formats/dates';
import { Splash } from '../brand/Splash';
import { productName, setDocumentTitle } from '../brand/productName';
import { fetchApi } from '../session/api';
import { navigate, usePath } from '../session/navigation';
import { Picture } from './Picture';
import { RichText } from './RichText';
import { SharedMessage } from './SharedMessage';
import { SharedPage } from './SharedPage';
import { parseSharedPath } from './sharedPaths';
import { SharedFact, SharedSection } from './SharedSection';
import { useShared } from './useShared';
import { WebLink } from './WebLink';

/** A field in the response of `POST shared-records`. */
interface SharedField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
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
  const { found, failure, retry } = useShared(useCallback((signal: AbortSignal) => loadRecord(path, signal), [path]));
  useEffect(() => {
    if (found !== undefined) setDocumentTitle(found?.title ?? 'Link not found');
  }, [found]);
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
  if (found === undefined) return <Splash />;
  if (found === null)
    return (
      <SharedMessage
        note="Shared, read-only"
        title="This link is not valid"
        message="It was renewed or revoked, or the record was deleted. Ask the sender for a new link."
        action={`Go to ${productName}`}
        onAction={() => navigate('/')}
      />
    );
  const { label, title, fields } = found;
  const facts = fields.filter((field) => !isLong(field));
  return (
    <SharedPage note={`Shared ${label.toLowerCase()}, read-only`}>
      <div className="shared-sheet" data-facts={facts.length > 0}>
        <article>
          <h1>{title}</h1>
          {fields.filter(isLong).map((field) => (
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

const longTypes: ReadonlySet<string> = new Set(['textarea', 'richText', 'image']);

function isLong({ type, width }: SharedField): boolean {
  return longTypes.has(type) || (type === 'text' && width === 'full');
}

function renderValue({ type, value, text }: SharedField) {
  if (value === null || text === '') return null;
  if (type === 'richText') return <RichText html={String(value)} />;
  if (type === 'image') return <Picture {...(value as { name: string; url: string })} />;
  if (type === 'url') return <WebLink url={text} />;
  if (type === 'email') return <a href={`mailto:${text}`}>{text}</a>;
  if (type === 'phone') return <a href={`tel:${text.replace(/[^\d+]/g, '')}`}>{text}</a>;
  // Instants are shown in the visitor's time zone.
  return type === 'datetime' ? formatInstant(String(value)) : text;
}
