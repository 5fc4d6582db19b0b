// Where the navigator has no language, pdfjs-dist puts another in its place, which does not know how many cores there are.
if (navigator.language === undefined) Object.defineProperty(navigator, 'language', { value: 'en-US' });
