import { useState } from 'react';

/** The picture, and in full behind a click. Its address is good for a short while only. */
export function Screenshot({ name, url }: { name: string; url: string }) {
  const [failed, setFailed] = useState(false);
  if (failed)
    return <p className="shared-nothing">The screenshot could not be loaded. Load the page again to see it.</p>;
  return (
    <a className="shared-shot" href={url} target="_blank" rel="noopener noreferrer">
      <img src={url} alt={`Screenshot ${name}`} onError={() => setFailed(true)} />
    </a>
  );
}
