% FAILS  Fails unless the call f() ends in an error whose text has `words` in it.
function fails(f, words)
try
  f();
catch e
  if isempty(strfind(e.message, words))
    error('fails:text', 'the error is "%s"; it should say "%s"', e.message, words);
  end
  return
end
error('fails:none', 'no error; it should say "%s"', words);
end
