import { Link } from 'react-router-dom';
import { recordPathFor } from '../../engine/lists/row-actions';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { Icon } from '../icons/Icon';
import { useSimilarRecords, type SimilarRecord, type SimilarRecordsProps } from './useSimilarRecords';
import * as styles from './similar.module.css';

/** Names records with a similar text below the input while it is typed; they open in a new tab. It keeps nobody from saving. */
export default function SimilarRecords(props: SimilarRecordsProps) {
  const { definition } = props;
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const similarRecords = useSimilarRecords(props);
  const { labels } = definition;
  const heading =
    similarRecords.length === 1 ? `A similar ${labels.one.toLowerCase()}` : `Similar ${labels.many.toLowerCase()}`;
  return (
    <div role="status" className={styles.similar}>
      {similarRecords.length > 0 && (
        <>
          <p>
            <Icon name="info" size={14} />
            {heading}. Is it the same?
          </p>
          <ul>
            {similarRecords.map((record) => {
              const title = [record.key, record.title].filter((part) => part && !isIn(part, record)).join(' ');
              const path = recordPathFor(definition, { id: record.id }, actor, evaluationContext);
              return (
                <li key={record.id}>
                  {path === null ? (
                    title
                  ) : (
                    <Link to={path} target="_blank" rel="noopener">
                      {title}
                      <span className="unseen"> (opens in a new tab)</span>
                    </Link>
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}

/** Whether the key is a part of the title already. */
function isIn(part: string, { key, title }: SimilarRecord): boolean {
  return part === key && part !== title && title.includes(part);
}
