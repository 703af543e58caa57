/** Where the files of Swagger UI are served: their version in the address lets browsers keep them for good. */
export function viewerPath(version: string): string {
  return `/api/docs/swagger-ui-${version}`;
}

/**
 * The page that shows the OpenAPI document with Swagger UI, where calls can be tried. Scripts and styles are files of
 * this server, so that the content security policy of every page holds here too.
 */
export function docsPage(version: string): string {
  const viewer = viewerPath(version);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay API</title><link rel="icon" href="/favicon.svg"><script src="/theme.js"></script>
<link rel="stylesheet" href="${viewer}.css"><link rel="stylesheet" href="/api/docs.css">
<script src="${viewer}.js" defer></script><script src="/api/docs.js" defer></script>
</head>
<body>
<header><h1>Assay API</h1><p id="lead" role="status">Loading the document…</p>
<p>For generators of types: <code>GET /api/openapi.json?paths=generic</code>, a fifth as long.</p>
<label>Find <input id="find" type="search" autocomplete="off"></label> <output id="count" for="find"></output></header>
<div id="calls"></div>
</body>
</html>`;
}

export const docsStyle = `html{color-scheme:light}
html[data-theme=dark]{color-scheme:dark;background:#1c2022;color:#e4e6e6}
body{margin:0;font:14px/20px "Inter Variable",Inter,system-ui,sans-serif}
header{max-width:1460px;box-sizing:border-box;margin:0 auto;padding:24px 20px 0}
h1{font-size:24px;line-height:32px;margin:0}
input[type=search]{font:inherit;height:36px;padding:0 12px;margin-left:8px;border:1px solid #8A94A1;border-radius:8px;background:none;color:inherit}
:focus-visible{outline:2px solid #007DFF;outline-offset:2px}
/* The viewer's own colours have too little contrast for text. */
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method{background:#1B568F}
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method{background:#15693F}
html:not(.dark-mode) .swagger-ui .opblock-put .opblock-summary-method{background:#8A5200}
html:not(.dark-mode) .swagger-ui .opblock-patch .opblock-summary-method{background:#0F6B5C}
html:not(.dark-mode) .swagger-ui .opblock-delete .opblock-summary-method{background:#B3261E}
html:not(.dark-mode) .swagger-ui .btn.authorize{color:#15693F;border-color:#15693F}
html:not(.dark-mode) .swagger-ui .btn.authorize svg{fill:#15693F}
html:not(.dark-mode) .swagger-ui :is(.parameter__in,.parameter__deprecated,.prop-format){color:#4A5463}
html:not(.dark-mode) .swagger-ui .btn.cancel{color:#B3261E;border-color:#B3261E}
html:not(.dark-mode) .swagger-ui .btn.execute{background:#1B568F;border-color:#1B568F}
html:not(.dark-mode) .swagger-ui .download-contents{background:#4A5463}
html.dark-mode .swagger-ui :is(.opblock-section-header h4,.try-out__btn){color:#FFF!important}
.code-frame{max-height:420px;overflow:auto}
.swagger-ui .code-frame pre{max-height:none!important;overflow:visible!important}`;

// Calls that are tried go out with the sign-in of this browser, unless a token was entered under "Authorize". The token
// is added as the call leaves: it is neither in what the page shows, such as the curl command, nor stored by the viewer.
export const docsScript = `'use strict';
const root = document.documentElement;
const followTheme = () => root.classList.toggle('dark-mode', root.dataset.theme === 'dark');
new MutationObserver(followTheme).observe(root, { attributeFilter: ['data-theme'] });
followTheme();

const lead = document.getElementById('lead');
const find = document.getElementById('find');

const readSession = () => JSON.parse(localStorage.getItem('assay.session') || 'null');
async function renewed() {
  const session = readSession();
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
const currentSession = () => (navigator.locks ? navigator.locks.request('assay.session', renewed) : renewed());

async function signCall(call) {
  const { origin, pathname } = new URL(call.url, location.href);
  const headers = new Headers(call.headers);
  if (origin !== location.origin || !pathname.startsWith('/api/') || headers.has('authorization')) return call;
  const session = await currentSession();
  if (session) call.headers = { ...call.headers, Authorization: 'Bearer ' + session.token };
  return call;
}

// A call is found by its method, its path and its summary: every word that was typed is in one of them.
const nameOf = (method, path, { summary = '' }) => [method, path, summary].join(' ').toLowerCase();
const isFound = (name, text) => text.toLowerCase().split(/\\s+/).every((word) => name.includes(word));

function findCalls(tags, text) {
  const found = (call) => isFound(nameOf(call.get('method'), call.get('path'), call.get('operation').toObject()), text);
  return tags
    .map((tag) => tag.update('operations', (calls) => calls.filter(found)))
    .filter((tag) => tag.get('operations').size > 0);
}

function show(api) {
  lead.textContent = api.info.description + ' What you try here is done: with your own sign-in, or with the token that you enter under Authorize.';
  const nothing = () => () => null;
  const viewer = SwaggerUIBundle({
    // This address is the one that the policy of the page lets it call.
    spec: { ...api, servers: [{ url: location.origin + '/api' }] },
    domNode: document.getElementById('calls'),
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    plugins: [{
      fn: { opsFilter: findCalls },
      wrapComponents: {
        InfoContainer: nothing,
        FilterContainer: nothing,
        ServersContainer: nothing,
        // Long examples scroll, by keyboard too.
        HighlightCode: (Code, { React }) => (props) =>
          React.createElement('div', { className: 'code-frame', tabIndex: 0 }, React.createElement(Code, props)),
      },
    }],
    docExpansion: 'list',
    // Its links are within buttons, and its colours of code are too faint.
    deepLinking: false,
    syntaxHighlight: { activated: false },
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    validatorUrl: null,
    requestInterceptor: signCall,
    showMutatedRequest: false,
  });
  // The viewer renders the calls that are in sight: how many there are is counted here.
  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  const names = Object.entries(api.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => nameOf(method, path, item[method])));
  const search = () => {
    const text = find.value.trim();
    viewer.getSystem().layoutActions.updateFilter(text);
    const count = names.filter((name) => isFound(name, text)).length;
    document.getElementById('count').textContent = count === 1 ? '1 call' : count + ' calls';
  };
  find.addEventListener('input', search);
  search();
}

currentSession()
  .then((session) => fetch('/api/openapi.json', { headers: session ? { authorization: 'Bearer ' + session.token } : {} }))
  .then(async (answer) => {
    if (answer.ok) show(await answer.json());
    else lead.textContent = 'Sign in to Assay in this browser first, then reload this page.';
  })
  .catch(() => {
    lead.textContent = 'The document could not be loaded. Reload this page.';
  });
`;
