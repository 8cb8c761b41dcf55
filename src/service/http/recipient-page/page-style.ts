import { defaultAccent, textColorOn } from './accent-color.ts'

/** The style of a page in this color of the shop. */
export function pageStyle(accent: string | null): string {
  const color = accent ?? defaultAccent
  return `:root{--accent:${color};--on-accent:${textColorOn(color)}}${shared}`
}

const shared = `
:root{color-scheme:light dark;--page:#f4f5f6;--card:#ffffff;--line:#d9dde1;--text:#1b2025;--soft:#505a64;--note:#fff4d6;--note-text:#4a3600;--dot:#8b959f}
@media (prefers-color-scheme:dark){:root{--page:#14181c;--card:#1d2227;--line:#353d45;--text:#eef1f4;--soft:#b3bcc6;--note:#3a2f10;--note-text:#ffe7a8;--dot:#7c8792}}
*{box-sizing:border-box;margin:0}
body{background:var(--page);color:var(--text);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
header{background:var(--accent);color:var(--on-accent)}
header>div,main,footer{max-width:38rem;margin:0 auto;padding:0 1.25rem}
header>div{display:flex;justify-content:space-between;align-items:baseline;gap:1rem;padding-top:.875rem;padding-bottom:.875rem}
header a{margin-left:auto;padding:.125rem 0;color:inherit;white-space:nowrap}
.shop{font-weight:600}
main{padding-top:1.75rem;padding-bottom:1.5rem}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.01em;text-wrap:balance}
h2{font-size:1rem;line-height:1.4}
.lead{margin-top:.5rem;font-size:1.125rem;color:var(--soft)}
.expected{margin-top:1rem;font-weight:600}
.note{margin-top:1rem;padding:.75rem 1rem;border-radius:.5rem;background:var(--note);color:var(--note-text)}
.test{padding:.5rem 1.25rem;background:var(--note);color:var(--note-text);text-align:center;font-weight:600}
section{margin-top:1.25rem;padding:1.125rem 1.25rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card)}
address{margin-top:.375rem;font-style:normal}
address strong{display:block}
.soft,time{color:var(--soft)}
.bring{margin-top:.625rem}
ol{margin-top:.75rem;padding:0;list-style:none}
li{position:relative;padding:0 0 1.125rem 1.625rem}
li:last-child{padding-bottom:.125rem}
li::before{content:"";position:absolute;left:.125rem;top:.4375rem;width:.75rem;height:.75rem;border:2px solid var(--dot);border-radius:50%;background:var(--card);z-index:1}
li::after{content:"";position:absolute;left:.4375rem;top:.6875rem;bottom:-.4375rem;width:2px;background:var(--line)}
li:last-child::after{display:none}
li:first-child::before{border-color:var(--text);background:var(--text)}
li:first-child strong{font-weight:700}
li strong{display:block;font-weight:500}
li span,li time{display:block;font-size:.9375rem}
.support{margin-top:1.25rem;padding:0 .25rem}
main a{color:var(--text);text-underline-offset:.2em}
a:focus-visible{outline:3px solid currentColor;outline-offset:3px;border-radius:2px}
footer{padding-bottom:2.5rem;font-size:.9375rem;color:var(--soft)}
footer p{padding:0 .25rem}
@media print{body{background:#fff}section{break-inside:avoid}header a{display:none}}
`
