/** Gives the frame of a mail the height of the mail, so that nothing of it is cut off. */
const frame = /** @type {HTMLIFrameElement} */ (document.querySelector('iframe.letter'))

function fit() {
  const mail = frame.contentDocument?.body
  if (mail) frame.style.height = `${mail.offsetHeight + 2}px`
}

frame.addEventListener('load', fit)
new ResizeObserver(fit).observe(frame)
fit()
