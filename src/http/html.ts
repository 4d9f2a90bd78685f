/** HTML written by the service itself. */

export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

export type DocumentLanguage = { readonly tag: string; readonly direction: 'ltr' | 'rtl' }

/** Returns a whole document. `title` is text; `head` (additional head elements) and `body` are HTML. */
export function htmlDocument(title: string, head: string, body: string, { tag, direction }: DocumentLanguage): string {
  return `<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`
}
