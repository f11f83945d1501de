% NEAR  Fails unless `got` is `want`, in shape and to `tol` times max(1, max|want|). A NaN never passes.
function near(got, want, what, tol)
if nargin < 4, tol = 1e-11; end
if ~isequal(size(got), size(want)) && ~(isempty(got) && isempty(want))
  error('near:size', '%s is %s, not %s', what, mat2str(size(got)), mat2str(size(want)));
end
worst = max(abs(got(:) - want(:)));
if isempty(want), return, end
if ~(worst <= tol * max(1, max(abs(want(:)))))
  error('near:value', '%s is off by %g', what, worst);
end
end
