import { useDraft } from '../draft';
import { FaceHead } from '../FaceHead';

/** What can be said of the chosen place. */
export function PropertiesPane() {
  const { place } = useDraft();
  return (
    <>
      <FaceHead>
        <code className="studio-key">{place}</code>
      </FaceHead>
      <div className="studio-props" />
    </>
  );
}
