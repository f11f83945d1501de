# Plots what slopes.sh prints: gnuplot -e "table='slopes.txt'; picture='slopes.png'" slopes.gp
set terminal pngcairo size 1280,520 font "sans,13"
set output picture
set multiplot layout 1, 2
set grid
set xrange [0:60]
set xlabel "slope [deg]"
set yrange [-0.1:2]
set ylabel "least gap within half a minute [m]"
set key top right
plot "< grep ^y ".table using 2:6 with linespoints pt 7 title "paddles, uphill along them (y)", \
     "< grep ^x ".table using 2:6 with linespoints pt 6 title "paddles, uphill across them (x)", \
     "< grep ^y ".table using 2:7 with linespoints pt 5 title "box, y", \
     "< grep ^x ".table using 2:7 with linespoints pt 4 title "box, x"
set yrange [0:20]
set ylabel "first touch [s]"
set key top left
plot "< grep ^y ".table using 2:3 with linespoints pt 5 title "horn, y", \
     "< grep ^x ".table using 2:3 with linespoints pt 4 title "horn, x", \
     "< grep ^y ".table using 2:4 with linespoints pt 7 title "paddles, y", \
     "< grep ^x ".table using 2:4 with linespoints pt 6 title "paddles, x"
