/** The page that shows the OpenAPI document: plain HTML with its own script, no library and no inline code. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay API</title><link rel="stylesheet" href="/api/docs.css"><script src="/api/docs.js" defer></script>
</head>
<body>
<header><h1>Assay API</h1><p id="lead">Reading the document…</p>
<label>Find <input id="find" type="search" autocomplete="off"></label></header>
<main id="calls"></main>
</body>
</html>`;

export const docsStyle = `:root{color-scheme:light dark;--line:#D3DAE2;--muted:#5E6A7B;--tint:#E3F2FC;--ink:#1B568F}
@media (prefers-color-scheme:dark){:root{--line:#343D4A;--muted:#8D98A8;--tint:#14263B;--ink:#9CCBFF}}
body{font:14px/20px "Inter Variable",Inter,system-ui,sans-serif;max-width:960px;margin:0 auto;padding:24px}
h1{font-size:24px;line-height:32px;margin:0}h2{font-size:16px;margin:32px 0 8px}h3{font-size:13px;margin:12px 0 4px}p,label{color:var(--muted)}
input{font:inherit;height:36px;padding:0 12px;margin-left:8px;border:1px solid #8A94A1;border-radius:8px;background:none;color:inherit}
details{border-top:1px solid var(--line);padding:8px 0}summary{cursor:pointer;display:flex;gap:12px;align-items:baseline;min-height:24px}
summary b{font:600 12px/16px ui-monospace,Menlo,Consolas,monospace;min-width:56px;text-transform:none;color:var(--ink);background:var(--tint);border-radius:6px;padding:3px 8px;text-align:center}
summary code,pre{font:12px/20px ui-monospace,Menlo,Consolas,monospace}summary span{color:var(--muted)}
pre{overflow:auto;border:1px solid var(--line);border-radius:8px;padding:12px;max-height:420px}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:4px 12px 4px 0;vertical-align:top;font-weight:400}th{color:var(--muted)}
:focus-visible{outline:2px solid #007DFF;outline-offset:2px}`;

export const docsScript = `'use strict';
const make = (tag, text, ...children) => {
  const node = document.createElement(tag);
  if (text) node.textContent = text;
  node.append(...children);
  return node;
};
// Wide blocks scroll, by keyboard too.
const block = (text) => Object.assign(make('pre', text), { tabIndex: 0 });
function table(parameters) {
  const rows = parameters.map((one) => make('tr', '', make('td', '', make('code', one.name)), make('td', one.description || one.in)));
  return make('table', '', ...rows);
}
function content(heading, { content, description }) {
  const types = Object.entries(content);
  const [type, { schema }] = types[0];
  const words = type === 'application/json' ? heading : heading + ', ' + types.map(([name]) => name).join(', ');
  return [make('h3', words), ...(description ? [make('p', description)] : []), ...(schema ? [block(JSON.stringify(schema, null, 2))] : [])];
}
function call(method, path, operation, shared) {
  const summary = make('summary', '', make('b', method.toUpperCase()), make('code', '/api' + path), make('span', operation.summary));
  const details = make('details', '', summary);
  const parameters = [...(shared || []), ...(operation.parameters || [])];
  if (parameters.length) details.append(make('h3', 'Parameters'), table(parameters));
  if (operation.requestBody) details.append(...content('Body', operation.requestBody));
  const [status, answer] = Object.entries(operation.responses)[0];
  details.append(...content('Response ' + status, answer));
  details.dataset.text = (method + ' ' + path + ' ' + operation.summary).toLowerCase();
  return details;
}
function show(api) {
  const groups = new Map();
  for (const [path, item] of Object.entries(api.paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
      if (!item[method]) continue;
      const group = item[method].tags[0];
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(call(method, path, item[method], item.parameters));
    }
  }
  const sections = [...groups].map(([name, calls]) => make('section', '', make('h2', name), ...calls));
  document.getElementById('calls').replaceChildren(...sections);
  document.getElementById('lead').textContent = api.info.description;
  document.getElementById('find').addEventListener('input', (event) => {
    const words = event.target.value.toLowerCase().split(/\\s+/);
    for (const section of sections) {
      let any = false;
      for (const one of section.querySelectorAll('details')) {
        one.hidden = !words.every((word) => one.dataset.text.includes(word));
        any = any || !one.hidden;
      }
      section.hidden = !any;
    }
  });
}
const kept = () => JSON.parse(localStorage.getItem('assay.session') || 'null');
async function renewed() {
  const session = kept();
  if (!session || !(session.expires_at < Date.now() + 10000)) return session;
  const answer = await fetch('/api/session/renew', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session': 'renewable' },
    body: JSON.stringify({ sign_in_id: session.sign_in_id }),
  });
  if (!answer.ok) return null;
  const { token, expires_in } = await answer.json();
  const next = { ...session, token, expires_at: Date.now() + expires_in * 1000 };
  localStorage.setItem('assay.session', JSON.stringify(next));
  return next;
}
const alone = (task) => (navigator.locks ? navigator.locks.request('assay.session', task) : task());
const say = (text) => { document.getElementById('lead').textContent = text; };
alone(renewed)
  .then((session) => fetch('/api/openapi.json', { headers: session ? { authorization: 'Bearer ' + session.token } : {} }))
  .then(async (answer) => {
    if (answer.ok) show(await answer.json());
    else say('Sign in to Assay in this browser first, then reload this page.');
  })
  .catch(() => say('The document could not be loaded. Reload this page.'));
`;
