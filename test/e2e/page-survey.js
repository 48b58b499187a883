// Runs in a page that was made from a hostile session; its value is what the test compares.
for (const span of document.querySelectorAll('.span')) span.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
for (const fold of document.querySelectorAll('details')) fold.open = true;
const elements = [...document.querySelectorAll('*')];
const attributes = elements.flatMap((element) => [...element.attributes]);
const OURS =
  /^(?:html|head|meta|title|style|body|a|header|div|span|h[1-4]|p|dl|dt|dd|section|svg|defs|pattern|rect|circle|line|text|g|path|b|button|label|input|output|main|details|summary|pre|figure|figcaption|bdi|ol|ul|li|img|hr|code|strong|em|blockquote|table|thead|tbody|tr|td|nav|aside|small|footer|script)$/;
/** @param {RegExp} form @param {readonly string[]} values */
const unlike = (form, values) => values.filter((value) => !form.test(value));

const survey = {
  acted: 'acted' in window,
  scripts: document.scripts.length,
  elements: unlike(
    OURS,
    elements.map(({ localName }) => localName),
  ),
  // The markup that stands in a session may not have become elements: these are ours, and so many.
  bold: document.querySelectorAll('b, i, h1').length - document.querySelectorAll('.head h1, .chart-name b').length,
  handlers: attributes.map(({ name }) => name).filter((name) => name.startsWith('on') || name === 'style' || name === 'srcdoc'),
  links: unlike(
    /^(?:file|https?):$/,
    [...document.links].map(({ protocol }) => protocol),
  ),
  pictures: unlike(
    /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/,
    [...document.images].map(({ src }) => src),
  ),
  refresh: document.querySelectorAll('meta[http-equiv=refresh]').length,
  // oxlint-disable-next-line no-control-regex -- such characters must be gone
  hidden: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/.test(document.documentElement.outerHTML),
  isSaid: document.body.textContent.includes('<script>window.acted=1</script>'),
};
// oxlint-disable-next-line no-unused-expressions -- the value of the script
survey;
